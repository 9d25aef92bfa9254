// Python in a thread of its own: loads the runtime once, then runs cells one after the other.
let python;

// The files of a wheel, by the browser's own inflating: the runtime unpacks in Python, which takes three times as long.
const IDLE = /\/$|\/tests\/|^pytz\/zoneinfo\/|\/mpl-data\/(sample_data|images|fonts\/(afm|pdfcorefonts))\/|\.(pyi|pyx|pxd|h|hpp|c|a)$/; // not for a reader
async function unpack(bytes, folder) {
  const view = new DataView(bytes.buffer), text = new TextDecoder(), made = new Set(), jobs = [];
  let at = bytes.length - 22;
  while (view.getUint32(at, true) !== 0x06054b50) at -= 1;
  for (let entry = view.getUint32(at + 16, true), n = view.getUint16(at + 10, true); n > 0; n -= 1) {
    const [short, long] = [(k) => view.getUint16(entry + k, true), (k) => view.getUint32(entry + k, true)];
    const name = text.decode(bytes.subarray(entry + 46, entry + 46 + short(28))), from = long(42);
    const begin = from + 30 + view.getUint16(from + 26, true) + view.getUint16(from + 28, true);
    const data = bytes.subarray(begin, begin + long(20)), path = folder + name, parent = path.replace(/\/[^/]*$/, "");
    if (!made.has(parent)) { python.FS.mkdirTree(parent); made.add(parent); }
    const put = (whole) => python.FS.writeFile(path, new Uint8Array(whole), { canOwn: true });
    const inflated = () => {
      const { readable, writable } = new DecompressionStream("deflate-raw"), writer = writable.getWriter();
      writer.write(data);
      writer.close();
      return new Response(readable).arrayBuffer();
    };
    if (!IDLE.test(name)) jobs.push(short(10) ? inflated().then(put) : put(data.slice()));
    entry += 46 + short(28) + short(30) + short(32);
  }
  await Promise.all(jobs);
}

// Packages of the lock with what they need, each as its sum says.
async function install(names, base) {
  const lock = python.lockfile.packages, wanted = new Set(names);
  for (const name of wanted) lock[name].depends.forEach((other) => wanted.add(other.replaceAll("_", "-")));
  const folder = `${python.runPython("import site; site.getsitepackages()[0]")}/`;
  await Promise.all([...wanted].map(async (name) => {
    const { file_name, sha256 } = lock[name], sum = btoa(String.fromCharCode(...sha256.match(/../g).map((one) => parseInt(one, 16))));
    if (!file_name.endsWith(".whl")) throw new Error(`${file_name} is no wheel`); // of another runtime
    const reply = await fetch(base + file_name, { integrity: `sha256-${sum}` });
    await unpack(new Uint8Array(await reply.arrayBuffer()), folder);
  }));
  python.runPython("import importlib; importlib.invalidate_caches()");
}

async function start({ base, packages, own, wheel, program }) {
  const { loadPyodide } = await import(base + "pyodide.mjs");
  const say = (text) => postMessage({ state: text });
  say("Python is being loaded");
  python = await loadPyodide({ indexURL: base });
  const quietly = { messageCallback: () => {}, errorCallback: say };
  const known = (name) => name in python.lockfile.packages, brought = packages.every(known);
  const names = [...packages.filter(known), ...(brought ? [] : own.needs)];
  say(`${packages.join(", ")} are being loaded`);
  await install(names, base).catch(() => python.loadPackage(names, quietly));
  if (!brought) for (const one of own.wheels) await python.loadPackage(one, quietly); // what the runtime does not bring
  await python.loadPackage(wheel, quietly);
  python.runPython(await (await fetch(program)).text());
}

onmessage = async ({ data }) => {
  try {
    if (data.start) {
      await start(data.start);
      postMessage({ ready: true });
    } else if (data.file) {
      python.FS.writeFile(data.file, new Uint8Array(data.bytes));
    } else {
      const run = python.globals.get("run_cell"), given = python.toPy(data.given ?? []);
      postMessage({ id: data.id, outputs: JSON.parse(run(data.code, data.id, given)) });
    }
  } catch (error) {
    postMessage({ id: data.id, failure: String(error) });
  }
};
