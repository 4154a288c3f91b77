//! A Chromium without windows, controlled through its DevTools protocol.

mod connection;

use base64::Engine;
use connection::Connection;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// The longest time for an answer, whatever other messages arrive meanwhile.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running browser with one page.
pub(crate) struct Browser {
    child: Child,
    socket: WebSocket<Connection>,
    session: Option<String>,
    last: u64,
    events: Vec<Value>,
    _profile: tempfile::TempDir,
}

/// The Chromium of this machine: `$CHROMIUM`, what `scripts/setup --browser` fetched, or one on
/// `PATH`.
pub(crate) fn find() -> Result<PathBuf, String> {
    let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools/chromium/bin/chromium");
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let names = ["chromium-headless-shell", "chromium", "google-chrome"].map(PathBuf::from);
    let runs = |program: &PathBuf| {
        let said = Command::new(program).arg("--version").stderr(Stdio::null()).output();
        said.is_ok_and(|o| o.status.success() && String::from_utf8_lossy(&o.stdout).contains("Chrom"))
    };
    let mut all = named.into_iter().chain([fetched]).chain(names);
    all.find(runs).ok_or_else(|| "Chromium is missing; scripts/setup --browser fetches it".to_owned())
}

impl Browser {
    /// Starts the browser with an empty page of that size.
    pub(crate) fn start(program: &Path, width: u32, height: u32) -> Browser {
        let profile = tempfile::tempdir().expect("a folder");
        let mut child = Command::new(program)
            // The sandbox needs rights that containers do not give. The pages are our own.
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--no-first-run"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|l| l.strip_prefix("DevTools listening on ").map(str::to_owned))
            .expect("the browser says where it listens");
        // A process blocks if nobody reads from the pipe that it writes to.
        std::thread::spawn(move || lines.for_each(drop));
        let host = address.trim_start_matches("ws://").split('/').next().expect("a host");
        let stream = TcpStream::connect(host).expect("a connection");
        let (socket, _) =
            tungstenite::client(address.as_str(), Connection::new(stream, PATIENCE)).expect("a web socket");
        let mut browser = Browser { child, socket, session: None, last: 0, events: Vec::new(), _profile: profile };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.call("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.resize(width, height);
        browser
    }

    /// Calls a method of the protocol.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.socket.get_mut().wait_at_most(PATIENCE);
        self.socket.send(Message::text(message.to_string())).expect("the browser listens");
        loop {
            let answer = self.hear();
            if answer["id"] == json!(self.last) {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// The next message. Events are stored.
    fn hear(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().expect("the browser answers in time") {
                let message: Value = serde_json::from_str(&text).expect("JSON");
                if message["id"].is_null() {
                    self.events.push(message.clone());
                }
                return message;
            }
        }
    }

    /// Opens a file, and waits until it is loaded.
    pub(crate) fn open(&mut self, file: &Path, fragment: &str) {
        self.events.clear();
        self.call("Page.navigate", json!({ "url": format!("file://{}{fragment}", file.display()) }));
        self.socket.get_mut().wait_at_most(PATIENCE);
        while !self.events.iter().any(|e| e["method"] == "Page.loadEventFired") {
            self.hear();
        }
    }

    /// The size of the page.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// The result of a script.
    pub(crate) fn evaluate(&mut self, script: &str) -> Value {
        let ask = json!({ "expression": script, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", ask);
        assert!(answer["exceptionDetails"].is_null(), "{script}: {answer}");
        answer["result"]["value"].clone()
    }

    /// A string that a script gives.
    pub(crate) fn text(&mut self, script: &str) -> String {
        let value = self.evaluate(script);
        value.as_str().unwrap_or_else(|| panic!("{script} gives {value}")).to_owned()
    }

    /// A number that a script gives.
    pub(crate) fn number(&mut self, script: &str) -> f64 {
        let value = self.evaluate(script);
        value.as_f64().unwrap_or_else(|| panic!("{script} gives {value}"))
    }

    /// Waits until a script gives true.
    pub(crate) fn wait(&mut self, script: &str) {
        let start = Instant::now();
        while self.evaluate(script) != json!(true) {
            assert!(start.elapsed() < PATIENCE, "waited in vain for {script}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Clicks in the middle of the element that a selector names. The element must be the topmost
    /// one there.
    pub(crate) fn click(&mut self, selector: &str) {
        let quoted = json!(selector).to_string();
        let place = self.evaluate(&format!(
            "(() => {{ const e = document.querySelector({quoted}); e.scrollIntoView({{ block: 'center' }}); \
             const r = e.getBoundingClientRect(); const x = r.x + Math.min(r.width / 2, 150), y = r.y + r.height / 2; \
             return [x, y, e.contains(document.elementFromPoint(x, y))]; }})()"
        ));
        assert_eq!(place[2], json!(true), "something lies over {selector}");
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1, "buttons": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Presses a key that has a name.
    pub(crate) fn press(&mut self, key: &str) {
        let code = match key {
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "Home" => 36,
            "End" => 35,
            "Tab" => 9,
            _ => panic!("no code is known for {key}"),
        };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code });
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Dark or light, screen or print.
    pub(crate) fn media(&mut self, medium: &str, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "media": medium, "features": features }));
    }

    /// The printed page, as bytes of a PDF file.
    pub(crate) fn print(&mut self) -> Vec<u8> {
        let answer = self.call("Page.printToPDF", json!({}));
        let text = answer["data"].as_str().expect("data");
        base64::engine::general_purpose::STANDARD.decode(text).expect("base 64")
    }

    /// The errors of the page or the browser since it was opened: exceptions, console messages,
    /// violations of the policy, dialogues.
    pub(crate) fn complaints(&mut self) -> Vec<String> {
        self.evaluate("1");
        let wrong =
            ["Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded", "Page.javascriptDialogOpening"];
        let method = |e: &Value| e["method"].as_str().is_some_and(|m| wrong.contains(&m));
        self.events.iter().filter(|e| method(e)).map(ToString::to_string).collect()
    }

    /// The addresses requested since the page was opened.
    pub(crate) fn requests(&mut self) -> Vec<String> {
        self.evaluate("1");
        let asked = self.events.iter().filter(|e| e["method"] == "Network.requestWillBeSent");
        let addresses = asked.filter_map(|e| e["params"]["request"]["url"].as_str());
        addresses.filter(|a| !a.starts_with("data:")).map(str::to_owned).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
