// Clients of simultaneous four-seat tournaments: each orders as soon as a turn is disclosed to it.
// Run by `bench.live_turns`; reads its task as JSON from the first argument, prints one line of JSON.
//
// Latency is from the moment when the last of the four orders is sent to the arrival of the
// disclosure, one sample a seat.
const fs = require('fs');
const http = require('http');
const WebSocket = require('ws');

const task = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const SEATS = 4;
const now = () => Number(process.hrtime.bigint()) / 1e6;

const seen = { measuring: false, stopping: false, turns: 0, latencies: [], frames: 0, bytes: 0, errors: [] };
const fail = (text) => { if (!seen.stopping) { seen.errors.push(String(text).slice(0, 200)); } };

// --- How to speak to each server --------------------------------------------------------------

const ours = {
  // The stage was set before: every tournament has a code and four sessions.
  open: async () => task.stage.pop(),
  connect(match, seat, heard) {
    const base = task.urls[seat % task.urls.length];
    const socket = new WebSocket(`${base.replace('http', 'ws')}/ws/tournaments/${match.code}/`, {
      perMessageDeflate: false,
      headers: { origin: task.origin, cookie: `${task.cookie}=${match.sessions[seat]}` },
    });
    let moves = [];
    socket.on('message', (data) => {
      const text = data.toString();
      count(text);
      const frame = JSON.parse(text);
      if (frame.type === 'error') fail(text);
      if (frame.type === 'state' || frame.type === 'turn') {
        moves = frame.choices.filter((choice) => choice.label === 'move');
        heard(frame.turn);
      }
    });
    socket.on('error', (error) => fail(error.message));
    socket.on('close', (code) => { if (!socket.meant) fail(`closed ${code}`); });
    return {
      order(turn) {
        const choice = moves.length ? moves[Math.floor(Math.random() * moves.length)].order : { hold: true };
        socket.send(JSON.stringify({ type: 'order', turn, order: choice }));
      },
      close() { socket.meant = true; socket.close(); },
    };
  },
};

const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
function post(base, path, body) {
  return new Promise((done, failed) => {
    const data = JSON.stringify(body);
    const url = new URL(base + path);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(data) };
    const request = http.request({ host: url.hostname, port: url.port, path: url.pathname, method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.on('data', (part) => { text += part; });
      answer.on('end', () => (answer.statusCode === 200 ? done(JSON.parse(text)) : failed(new Error(`${path} ${answer.statusCode}`))));
    });
    request.on('error', failed);
    request.end(data);
  });
}

const boardgameio = {
  async open() {
    const { matchID } = await post(task.urls[0], '/games/simultaneous/create', { numPlayers: SEATS });
    const keys = [];
    for (let seat = 0; seat < SEATS; seat++) {
      const joined = await post(task.urls[0], `/games/simultaneous/${matchID}/join`, { playerID: String(seat), playerName: `p${seat}` });
      keys.push(joined.playerCredentials);
    }
    return { code: matchID, keys };
  },
  // socket.io's own protocol, spoken directly: the client library would cost more than the server.
  connect(match, seat, heard) {
    const socket = new WebSocket(`${task.urls[0].replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, { perMessageDeflate: false });
    const room = '/simultaneous,';
    let stateID = 0;
    const say = (content) => socket.send(`42${room}${JSON.stringify(content)}`);
    socket.on('message', (data) => {
      const text = data.toString();
      count(text);
      if (text === '2') return socket.send('3');
      if (text[0] === '0') return socket.send(`40${room}`);
      if (text.startsWith(`40${room}`)) return say(['sync', match.code, String(seat), match.keys[seat], SEATS]);
      if (!text.startsWith(`42${room}`)) return undefined;
      const [kind, , payload] = JSON.parse(text.slice(2 + room.length));
      const state = kind === 'update' ? payload : kind === 'sync' ? payload.state : null;
      if (state) { stateID = state._stateID; heard(state.G.turn); }
      return undefined;
    });
    socket.on('error', (error) => fail(error.message));
    socket.on('close', (code) => { if (!socket.meant) fail(`closed ${code}`); });
    return {
      order() {
        const list = [0, 1, 2, 3, 4].map(() => Math.floor(Math.random() * 7) - 1);
        const payload = { type: 'order', args: [list], playerID: String(seat), credentials: match.keys[seat] };
        say(['update', { type: 'MAKE_MOVE', payload }, stateID, match.code, String(seat)]);
      },
      close() { socket.meant = true; socket.close(); },
    };
  },
};

function count(text) {
  if (seen.measuring) { seen.frames += 1; seen.bytes += text.length; }
}

// --- A table, at which one tournament after the other is played -------------------------------

class Table {
  constructor(server) { this.server = server; }

  async begin() {
    const match = await this.server.open();
    if (!match) return fail('the stage is empty');
    this.sent = 0; this.told = 0; this.turn = -1; this.known = Array(SEATS).fill(-1); this.here = 0;
    this.players = this.known.map((_none, seat) =>
      this.server.connect(match, seat, (turn) => this.heard(match, seat, turn)));
    this.match = match;
    return undefined;
  }

  heard(match, seat, turn) {
    if (match !== this.match && this.match && this.players === undefined) return;
    if (turn <= this.known[seat] || seen.stopping) return;
    const at = now();
    this.known[seat] = turn;
    if (turn > this.turn) { this.turn = turn; this.lastOrder = this.lastSent; this.told = 0; this.sent = 0; }
    if (turn === 0) {
      this.here += 1;
      if (this.here === SEATS) for (let each = 0; each < SEATS; each++) this.later(each, 0);
      return;
    }
    if (seen.measuring) seen.latencies.push(at - this.lastOrder);
    this.told += 1;
    if (this.told === SEATS && seen.measuring) seen.turns += 1;
    if (turn >= task.turns_a_match) { if (this.told === SEATS) this.change(); return; }
    this.later(seat, turn);
  }

  later(seat, turn) {
    if (task.think) setTimeout(() => this.order(seat, turn), Math.random() * 2 * task.think);
    else this.order(seat, turn);
  }

  order(seat, turn) {
    if (seen.stopping) return;
    this.sent += 1;
    if (this.sent === SEATS) this.lastSent = now();
    this.players[seat].order(turn);
  }

  async change() {
    this.players.forEach((player) => player.close());
    await this.begin();
  }

  close() { (this.players || []).forEach((player) => player.close()); }
}

const pause = (seconds) => new Promise((done) => { setTimeout(done, seconds * 1000); });
function quantile(sorted, share) {
  return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] : null;
}

(async () => {
  const server = task.server === 'ours' ? ours : boardgameio;
  const tables = Array.from({ length: task.tournaments }, () => new Table(server));
  for (let first = 0; first < tables.length; first += 10) {
    await Promise.all(tables.slice(first, first + 10).map((table) => table.begin()));
  }
  await pause(task.warm_seconds);
  const started = now();
  const own = process.cpuUsage();
  seen.measuring = true;
  await pause(task.seconds);
  seen.measuring = false;
  const seconds = (now() - started) / 1000;
  const used = process.cpuUsage(own);
  seen.stopping = true;
  const sorted = seen.latencies.sort((one, other) => one - other);
  console.log(JSON.stringify({
    turns: seen.turns / seconds,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    frames: seen.frames / Math.max(1, seen.turns),
    bytes: seen.bytes / Math.max(1, seen.turns),
    client_cpu: (used.user + used.system) / 1e6 / seconds,
    errors: seen.errors.length,
    examples: seen.errors.slice(0, 3),
  }));
  tables.forEach((table) => table.close());
  setTimeout(() => process.exit(0), 100);
})();
