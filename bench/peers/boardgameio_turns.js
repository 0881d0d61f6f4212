// Four-seat turns a second of boardgame.io's reducer on a small simultaneous board game, CPU time.
// Every player submits one secret list of orders a turn; the last one resolves the turn.
// Run by `bench.battle_engine`; prints one line of JSON.
process.env.NODE_ENV = 'production';
const { InitializeGame, CreateGameReducer } = require('boardgame.io/internal');
const { Stage } = require('boardgame.io/core');

const TURNS = Number(process.argv[2]);
const PLAYERS = 4;
const PIECES = 5;
const RADIUS = 4;
const STEPS = [[1, 0], [1, -1], [0, -1], [-1, 0], [-1, 1], [0, 1]];

const tiles = [];
const numbers = new Map();
for (let q = -RADIUS; q <= RADIUS; q++) {
  for (let r = Math.max(-RADIUS, -q - RADIUS); r <= Math.min(RADIUS, -q + RADIUS); r++) {
    numbers.set(`${q},${r}`, tiles.length);
    tiles.push([q, r]);
  }
}
const neighbours = tiles.map(([q, r]) =>
  STEPS.map(([dq, dr]) => numbers.get(`${q + dq},${r + dr}`) ?? -1));

function setup() {
  const pieces = [];
  for (let owner = 0; owner < PLAYERS; owner++) {
    for (let k = 0; k < PIECES; k++) {
      pieces.push({ id: owner * PIECES + k, owner, tile: owner * 15 + k * 3, hp: 10 });
    }
  }
  return { turn: 0, orders: {}, pieces, terrain: tiles.map((_, index) => index % 4) };
}

// All move at once; who wants a tile that another wants, or keeps, stays where he is.
function resolve(G) {
  const wanted = {};
  const aims = G.pieces.map((piece) => {
    const direction = G.orders[piece.owner][piece.id % PIECES];
    const to = direction >= 0 ? neighbours[piece.tile][direction] : -1;
    const aim = to >= 0 ? to : piece.tile;
    wanted[aim] = (wanted[aim] || 0) + 1;
    return aim;
  });
  for (let again = true; again;) {
    again = false;
    G.pieces.forEach((piece, index) => {
      if (aims[index] !== piece.tile && wanted[aims[index]] > 1) {
        wanted[aims[index]] -= 1;
        aims[index] = piece.tile;
        wanted[piece.tile] = (wanted[piece.tile] || 0) + 1;
        again = true;
      }
    });
  }
  G.pieces.forEach((piece, index) => { piece.tile = aims[index]; });
}

const game = {
  name: 'simultaneous',
  setup,
  moves: {
    submit: {
      move: ({ G, playerID, ctx, events }, orders) => {
        G.orders[playerID] = orders;
        if (Object.keys(G.orders).length === ctx.numPlayers) {
          resolve(G);
          G.orders = {};
          G.turn += 1;
          events.endTurn();
        }
      },
      client: false,
      redact: true,
      ignoreStaleStateID: true,
      undoable: false,
    },
  },
  turn: { activePlayers: { all: Stage.NULL } },
  disableUndo: true,
};

function play(turns) {
  const reducer = CreateGameReducer({ game });
  let state = InitializeGame({ game, numPlayers: PLAYERS });
  const started = process.cpuUsage();
  for (let turn = 0; turn < turns; turn++) {
    for (let player = 0; player < PLAYERS; player++) {
      const orders = Array.from({ length: PIECES }, () => Math.floor(Math.random() * 7) - 1);
      const payload = { type: 'submit', args: [orders], playerID: String(player) };
      state = reducer(state, { type: 'MAKE_MOVE', payload });
      if (state.transients) state = { ...state, transients: undefined };
    }
  }
  const used = process.cpuUsage(started);
  if (state.G.turn !== turns) throw new Error(`only ${state.G.turn} turns were resolved`);
  return turns / ((used.user + used.system) / 1e6);
}

play(TURNS); // unmeasured, so that the compiler has warmed up
console.log(JSON.stringify({ rate: play(TURNS) }));
