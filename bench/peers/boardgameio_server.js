// boardgame.io's own server with a small simultaneous board game of four seats, secret orders.
// Arguments: port, and `memory` or the address of a PostgreSQL database.
process.env.NODE_ENV = 'production';
const { Server } = require('boardgame.io/server');
const { Stage } = require('boardgame.io/core');

const [, , port, storage] = process.argv;
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

function setup({ ctx }) {
  const pieces = [];
  for (let owner = 0; owner < ctx.numPlayers; owner++) {
    for (let k = 0; k < PIECES; k++) {
      pieces.push({ id: owner * PIECES + k, owner, tile: owner * 15 + k * 3 });
    }
  }
  return { turn: 0, orders: {}, pieces, ground: tiles.map((_tile, number) => number % 4) };
}

// Everybody moves at once; who wants a tile that another wants, or stands on, stays at home.
function resolve(G) {
  const aims = G.pieces.map((piece) => {
    const step = G.orders[piece.owner][piece.id % PIECES];
    const aim = step >= 0 ? neighbours[piece.tile][step] : -1;
    return aim >= 0 ? aim : piece.tile;
  });
  for (let changed = true; changed;) {
    changed = false;
    const crowds = new Map();
    aims.forEach((aim) => crowds.set(aim, (crowds.get(aim) || 0) + 1));
    G.pieces.forEach((piece, number) => {
      if (aims[number] !== piece.tile && crowds.get(aims[number]) > 1) {
        aims[number] = piece.tile;
        changed = true;
      }
    });
  }
  G.pieces.forEach((piece, number) => { piece.tile = aims[number]; });
}

const game = {
  name: 'simultaneous',
  setup,
  playerView: ({ G, playerID }) => ({
    ...G,
    orders: Object.fromEntries(Object.entries(G.orders).map(([seat, list]) => [seat, seat === playerID ? list : true])),
  }),
  moves: {
    order: {
      move: ({ G, ctx, playerID, events }, list) => {
        G.orders[playerID] = list;
        if (Object.keys(G.orders).length === ctx.numPlayers) {
          resolve(G);
          G.orders = {};
          G.turn += 1;
          events.endTurn();
        }
      },
      client: false, redact: true, ignoreStaleStateID: true, undoable: false,
    },
  },
  turn: { activePlayers: { all: Stage.NULL } },
  disableUndo: true,
};

const options = { games: [game], origins: [/.*/] };
if (storage !== 'memory') {
  const { PostgresStore } = require('bgio-postgres');
  options.db = new PostgresStore(storage, { logging: false });
}
Server(options).run(Number(port), () => console.log('ready'));
