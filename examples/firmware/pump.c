/* The controller of a pump that fills a tank: commands arrive in frames over a serial line and
 * wait in a queue, switches are debounced, a table turns readings of the sensor into a flow, a
 * schedule says when to pump how fast, and alarms are kept until somebody acknowledges them.
 *
 *     smalti check examples/firmware/pump.c
 *
 * Nothing here can fail. */

#include <assert.h>

#define QUEUE 8
#define SWITCHES 4
#define STEADY 4
#define POINTS 16
#define AVERAGE 8
#define ALARMS 16
#define SLOTS 8
#define FRAME 8
#define DAYS 7

#define RAW_HIGHEST 4095
#define FLOW_HIGHEST 1500
#define SLOWEST 20
#define FASTEST 100
#define PATIENCE 30
#define DAY_LENGTH 1440
#define INTEGRAL_LIMIT 20000
#define START_BYTE 0x7e

enum mode { IDLE, PRIMING, RUNNING, DRAINING, LOCKED };
enum command { STOP = 1, START, SET_SLOT, SET_POINT, ACKNOWLEDGE };
enum alarm { DRY = 1, OVERFULL, NO_FLOW, BAD_FRAME, QUEUE_FULL };
enum input { TANK_FULL, TANK_EMPTY, LID_OPEN, BUTTON };

struct order {
    int what;
    int which;
    int value;
};

struct alarm_entry {
    int code;
    int minute;
};

struct slot {
    int from;
    int length;
    int speed;
};

/* Orders that wait, oldest first. */
static struct order queue[QUEUE];
static unsigned queue_head;
static unsigned queue_count;

/* For each switch, the level that counts, and for how long the pin has shown another one. */
static int level[SWITCHES];
static int differs[SWITCHES];

/* What the sensor reads at which flow, both rising. */
static int table_raw[POINTS];
static int table_flow[POINTS];

/* The last flows, for the average. */
static int flows[AVERAGE];
static int flows_next;

static struct alarm_entry alarms[ALARMS];
static int alarms_count;

static struct slot schedule[SLOTS];

/* The last bytes that were received. */
static int frame[FRAME];

/* Minutes that the pump ran on each of the last days. */
static int minutes_run[DAYS];
static int today;

static int mode;
static int mode_age;
static int minute;
static int integral;
static int output;

/* The hardware: registers hold any value. */
extern int __VERIFIER_nondet_int(void);

static int sensor_read(void)
{
    return __VERIFIER_nondet_int();
}

/* The clock, and memory that a battery keeps alive: they hold anything after the battery was
 * changed. */
static int saved_read(void)
{
    return __VERIFIER_nondet_int();
}

static int pin_read(void)
{
    return __VERIFIER_nondet_int() & 1;
}

static int serial_read(void)
{
    return __VERIFIER_nondet_int() & 255;
}

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static void fill(int *cells, int length, int value)
{
    int i;
    for (i = 0; i < length; i++)
        cells[i] = value;
}

/* --- Alarms --- */

static void alarm_raise(int code)
{
    if (alarms_count >= ALARMS)
        return;
    alarms[alarms_count].code = clamp(code, DRY, QUEUE_FULL);
    alarms[alarms_count].minute = minute;
    alarms_count++;
    assert(alarms_count <= ALARMS);
}

/* How many alarms are of this kind. Every entry that is in use names a kind. */
static int alarm_count(int code)
{
    int i, found = 0;
    for (i = 0; i < alarms_count; i++) {
        assert(alarms[i].code >= DRY);
        if (alarms[i].code == code)
            found++;
    }
    assert(found <= alarms_count);
    return found;
}

/* Takes the alarms of one kind out of the log, the others move up. */
static void alarm_acknowledge(int code)
{
    int from, to = 0;
    for (from = 0; from < alarms_count; from++) {
        if (alarms[from].code != code) {
            alarms[to] = alarms[from];
            to++;
        }
    }
    assert(to <= alarms_count);
    alarms_count = to;
}

/* --- The queue of orders --- */

static void queue_reset(void)
{
    unsigned i;
    for (i = 0; i < QUEUE; i++)
        queue[i].what = STOP;
}

static void queue_put(int what, int which, int value)
{
    struct order *order;
    if (queue_count >= QUEUE) {
        alarm_raise(QUEUE_FULL);
        return;
    }
    order = &queue[(queue_head + queue_count) % QUEUE];
    order->what = what;
    order->which = which;
    order->value = value;
    queue_count++;
    assert(queue_count <= QUEUE);
}

static int queue_take(struct order *order)
{
    if (queue_count == 0)
        return 0;
    assert(queue_head < QUEUE);
    order->what = queue[queue_head].what;
    order->which = queue[queue_head].which;
    order->value = queue[queue_head].value;
    queue_head = (queue_head + 1) % QUEUE;
    queue_count--;
    return 1;
}

/* --- Frames: start, sender, what, which, two bytes of a value, a number, checksum --- */

static int checksum(const int *bytes, int length)
{
    int i, sum = 0;
    for (i = 0; i < length; i++)
        sum = (sum + bytes[i]) % 256;
    return sum;
}

static void frame_byte(int byte)
{
    int i, what;
    for (i = 1; i < FRAME; i++)
        frame[i - 1] = frame[i];
    frame[FRAME - 1] = byte;
    if (frame[0] != START_BYTE)
        return;
    what = frame[2];
    if (checksum(frame, FRAME - 1) == byte && what >= STOP && what <= ACKNOWLEDGE)
        queue_put(what, frame[3], frame[4] * 256 + frame[5]);
    else
        alarm_raise(BAD_FRAME);
    fill(frame, FRAME, 0);
}

/* --- Switches --- */

static void switch_sample(int n, int pin)
{
    differs[n] = pin == level[n] ? 0 : differs[n] + 1;
    if (differs[n] >= STEADY) {
        level[n] = pin;
        differs[n] = 0;
    }
    assert(differs[n] < STEADY);
}

/* --- Calibration --- */

/* The sensor is coarser where the flow is high: the points lie further and further apart. */
static void table_reset(void)
{
    int i, raw = 0;
    for (i = 0; i < POINTS; i++) {
        table_raw[i] = raw;
        table_flow[i] = i * 100;
        raw = clamp(raw + 100 + i * 20, 0, RAW_HIGHEST);
    }
}

/* Moves one point of the table, no further than its neighbours. */
static void table_adjust(int point, int flow)
{
    if (point < 1 || point > POINTS - 2)
        return;
    table_flow[point] = clamp(flow, table_flow[point - 1], table_flow[point + 1]);
}

/* The flow that a reading stands for, on the straight line between two points of the table. */
static int flow_of(int raw)
{
    int i = 0, width, rise, offset;
    raw = clamp(raw, 0, RAW_HIGHEST);
    while (i < POINTS - 2 && table_raw[i + 1] < raw)
        i++;
    assert(i >= 0 && i + 1 < POINTS);
    width = table_raw[i + 1] - table_raw[i];
    rise = table_flow[i + 1] - table_flow[i];
    if (width <= 0)
        return clamp(table_flow[i], 0, FLOW_HIGHEST);
    offset = clamp(raw - table_raw[i], 0, width);
    return clamp(table_flow[i] + rise * offset / width, 0, FLOW_HIGHEST);
}

static int flow_average(int flow)
{
    int i, sum = 0;
    flows[flows_next] = flow;
    flows_next = (flows_next + 1) % AVERAGE;
    for (i = 0; i < AVERAGE; i++) {
        assert(flows[i] >= 0 && flows[i] <= FLOW_HIGHEST);
        sum += flows[i];
    }
    return clamp(sum / AVERAGE, 0, FLOW_HIGHEST);
}

/* --- The schedule --- */

/* A value of a frame is 16 bits: the upper half says in which quarter of an hour, the lower half
 * how fast. */
static void schedule_set(int n, int value)
{
    if (n < 0 || n >= SLOTS)
        return;
    schedule[n].from = clamp(value / 256 * 15, 0, DAY_LENGTH - 1);
    schedule[n].length = PATIENCE;
    schedule[n].speed = clamp(value % 256, SLOWEST, FASTEST);
}

/* How fast to pump now: the fastest of all slots that have begun and are not over; 0 if there is
 * none. */
static int schedule_speed(void)
{
    int i, speed = 0;
    for (i = 0; i < SLOTS; i++) {
        int age = minute - schedule[i].from;
        assert(schedule[i].from < DAY_LENGTH);
        assert(schedule[i].speed >= SLOWEST && schedule[i].speed <= FASTEST);
        if (age >= 0 && age < schedule[i].length && schedule[i].speed > speed)
            speed = schedule[i].speed;
    }
    assert(speed == 0 || speed >= SLOWEST);
    return speed;
}

/* --- The pump --- */

/* What the motor gets: proportional to the error, and a sum of past errors that cannot run away. */
static int regulate(int speed, int flow)
{
    int error = speed * (FLOW_HIGHEST / FASTEST) - flow;
    integral = clamp(integral + error, -INTEGRAL_LIMIT, INTEGRAL_LIMIT);
    assert(integral >= -INTEGRAL_LIMIT && integral <= INTEGRAL_LIMIT);
    return clamp(error / 16 + integral / 256, 0, FASTEST);
}

static void enter(int next)
{
    mode = next;
    mode_age = 0;
    integral = 0;
}

static void pump_step(int speed, int flow)
{
    if (mode_age < DAY_LENGTH)
        mode_age++;
    if (level[LID_OPEN] && mode != LOCKED)
        enter(LOCKED);
    output = 0;
    switch (mode) {
    case IDLE:
        if (speed > 0 && !level[TANK_FULL])
            enter(PRIMING);
        break;
    case PRIMING:
        output = SLOWEST;
        if (flow > 50) {
            enter(RUNNING);
        } else if (mode_age > PATIENCE) {
            alarm_raise(DRY);
            enter(LOCKED);
        }
        break;
    case RUNNING:
        output = regulate(speed, flow);
        if (level[TANK_FULL] || speed == 0)
            enter(DRAINING);
        else if (flow == 0 && mode_age > PATIENCE)
            alarm_raise(NO_FLOW);
        break;
    case DRAINING:
        if (level[TANK_FULL] && mode_age == PATIENCE)
            alarm_raise(OVERFULL);
        if (level[TANK_EMPTY])
            enter(IDLE);
        break;
    default:
        if (level[BUTTON] && !level[LID_OPEN] && alarm_count(DRY) == 0)
            enter(IDLE);
        break;
    }
    assert(output >= 0 && output <= FASTEST);
}

static void obey(const struct order *order)
{
    switch (order->what) {
    case STOP:
        enter(LOCKED);
        break;
    case START:
        if (mode == LOCKED)
            enter(IDLE);
        break;
    case SET_SLOT:
        schedule_set(order->which, order->value);
        break;
    case SET_POINT:
        table_adjust(order->which, order->value);
        break;
    default:
        alarm_acknowledge(order->which);
        break;
    }
}

static void clock_tick(void)
{
    if (output > 0 && minutes_run[today] < DAY_LENGTH)
        minutes_run[today]++;
    assert(minutes_run[today] <= DAY_LENGTH);
    minute++;
    if (minute >= DAY_LENGTH) {
        minute = 0;
        today = (today + 1) % DAYS;
        minutes_run[today] = 0;
    }
    assert(minute >= 0 && minute < DAY_LENGTH);
}

static void restore(void)
{
    int i;
    alarms_count = clamp(saved_read(), 0, ALARMS);
    for (i = 0; i < alarms_count; i++) {
        alarms[i].code = clamp(saved_read(), DRY, QUEUE_FULL);
        alarms[i].minute = clamp(saved_read(), 0, DAY_LENGTH - 1);
    }
    for (i = 0; i < SLOTS; i++) {
        schedule[i].from = clamp(saved_read(), 0, DAY_LENGTH - 1);
        schedule[i].length = PATIENCE;
        schedule[i].speed = clamp(saved_read(), SLOWEST, FASTEST);
    }
    for (i = 0; i < DAYS; i++)
        minutes_run[i] = clamp(saved_read(), 0, DAY_LENGTH);
    today = clamp(saved_read(), 0, DAYS - 1);
    minute = clamp(saved_read(), 0, DAY_LENGTH - 1);
}

int main(void)
{
    struct order order = { STOP, 0, 0 };
    restore();
    queue_reset();
    table_reset();
    fill(level, SWITCHES, 1);
    fill(flows, AVERAGE, flow_of(sensor_read()));
    while (1) {
        int i, flow;
        for (i = 0; i < SWITCHES; i++)
            switch_sample(i, pin_read());
        frame_byte(serial_read());
        if (mode != PRIMING && queue_take(&order)) {
            assert(order.what >= STOP && order.what <= ACKNOWLEDGE);
            obey(&order);
        }
        flow = flow_average(flow_of(sensor_read()));
        pump_step(schedule_speed(), flow);
        clock_tick();
    }
}
