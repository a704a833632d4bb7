// boardgame.io as a peer: a match replayed from its log, and its master keeping one move, with fsync.
// The game does the least that a game can do: it counts, and remembers what was said.

const fs = require("fs");
const os = require("os");
const path = require("path");
const readline = require("readline");
const { CreateGameReducer, InitializeGame } = require("boardgame.io/internal");
const { Master } = require("boardgame.io/master");

const game = {
  name: "count",
  setup: () => ({ count: 0, last: null }),
  moves: { happen: ({ G }, kind, data) => ({ count: G.count + 1, last: [kind, data] }) },
};
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "boardgameio-"));
const log = path.join(folder, "log");

const action = (kind, data) => ({
  type: "MAKE_MOVE",
  payload: { type: "happen", args: [kind, data], playerID: "0" },
});
const seconds = (began) => Number(process.hrtime.bigint() - began) / 1e9;

function rebuild() {
  const began = process.hrtime.bigint();
  const reducer = CreateGameReducer({ game });
  let state = InitializeGame({ game, numPlayers: 2 });
  for (const line of fs.readFileSync(log, "utf8").trimEnd().split("\n"))
    state = reducer(state, JSON.parse(line));
  if (!state.G.count) throw new Error("nothing was replayed");
  return seconds(began);
}

// Keeps the newest state in memory and the log on the disk: quicker than any of its storages, as durable as ours.
class Storage {
  constructor() {
    this.file = fs.openSync(path.join(folder, "acts"), "a");
    this.state = InitializeGame({ game, numPlayers: 2 });
  }
  type() { return 0; }
  fetch() { return { state: this.state, metadata: {} }; }
  setState(_, state, added) {
    fs.writeSync(this.file, JSON.stringify([state, added]) + "\n");
    fs.fsyncSync(this.file);
    this.state = state;
  }
  setMetadata() {}
}
const storage = new Storage();
const master = new Master(game, storage, { sendAll() {}, send() {} });

async function act(kind, data) {
  const began = process.hrtime.bigint();
  await master.onUpdate(action(kind, data), storage.state._stateID, "match", "0");
  return seconds(began);
}

process.on("exit", () => fs.rmSync(folder, { recursive: true }));
(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const wish = JSON.parse(line);
    let figure = 0;
    if (wish.do === "events")
      fs.writeFileSync(log, wish.events.map(([k, d]) => JSON.stringify(action(k, d))).join("\n"));
    else figure = wish.do === "act" ? await act(...wish.event) : rebuild();
    console.log(JSON.stringify(figure));
  }
})();
