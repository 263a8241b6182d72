import { expect, test } from 'vitest'
import { storeFailureOf } from '../../store/store-failure.ts'
import { StoreStanding, type StoreStandingParts } from './store-standing.ts'

const full = Object.assign(new Error('the disk is full (database or disk is full)'), { sqliteCode: 13 })
const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const standby = Object.assign(new Error('cannot execute UPDATE in a read-only transaction'), { code: '25006' })

interface State {
  lost: boolean
  accepts: boolean
  settling: Error | null
  isAlive: boolean
  renewing: unknown
  granting: unknown
  reading: Error | null
}

const WELL: State = {
  lost: false,
  accepts: true,
  settling: null,
  isAlive: true,
  renewing: null,
  granting: null,
  reading: null,
}

function standing(state: State): StoreStanding {
  const parts: StoreStandingParts = {
    store: {
      get lost() {
        return state.lost
      },
      check: async () => {
        if (state.reading !== null) throw state.reading
      },
    },
    settleQueue: { accepts: state.accepts, failure: state.settling },
    membership: { life: { isAlive: state.isAlive }, failure: state.renewing },
    leases: { failure: state.granting },
  }
  return new StoreStanding(parts)
}

test('a node whose database works is ready, and takes calls', async () => {
  expect([standing(WELL).closed, await standing(WELL).failure()]).toEqual([null, null])
})

// from: BerriAI/litellm#21158, bytedance/deer-flow#5166
test.for<[string, Partial<State>, string]>([
  ['files that are gone', { lost: true }, 'files_moved'],
  ['a settlement that found no room', { accepts: false, settling: full }, 'disk_full'],
  ['more settlements than are kept', { accepts: false }, 'behind'],
  ['a life that is over for want of an answer', { isAlive: false }, 'unreachable'],
  ['a life that is over on a standby', { isAlive: false, renewing: standby }, 'read_only'],
])('whatever closes the gate makes the node unready, in the same word: %s', async ([, state, word]) => {
  const one = standing({ ...WELL, ...state })
  expect([one.closed, await one.failure()]).toEqual([word, word])
})

test.for<[string, Partial<State>, string]>([
  ['grants that fail one after the other', { granting: full }, 'disk_full'],
  ['nothing that can be read', { reading: gone }, 'unreachable'],
])('a node is unready where each call would be refused behind the gate: %s', async ([, state, word]) => {
  const one = standing({ ...WELL, ...state })
  expect([one.closed, await one.failure()]).toEqual([null, word])
})

// from: BerriAI/litellm#34934
test('a heartbeat that failed while the life goes on stops nothing: a server that restarts must not empty the balancer', async () => {
  expect(await standing({ ...WELL, renewing: gone }).failure()).toBeNull()
})

test.for<[unknown, string]>([
  [full, 'disk_full'],
  [Object.assign(new Error('x'), { sqliteCode: 8 }), 'read_only'],
  [Object.assign(new Error('x'), { sqliteCode: 10 }), 'failing'],
  [Object.assign(new Error('x'), { code: '53100' }), 'disk_full'],
  [standby, 'read_only'],
  [Object.assign(new Error('too many connections'), { code: '53300' }), 'unreachable'],
  [Object.assign(new Error('terminating connection'), { code: '57P01' }), 'unreachable'],
  [Object.assign(new Error('password authentication failed'), { code: '28P01' }), 'unreachable'],
  [gone, 'unreachable'],
  [new AggregateError([gone], 'all addresses failed'), 'unreachable'],
  [new Error('Query read timeout'), 'unreachable'],
  [new Error('timeout exceeded when trying to connect'), 'unreachable'],
  [new Error('Connection terminated unexpectedly'), 'unreachable'],
  [new Error('the books are shut', { cause: full }), 'disk_full'],
  // from: porsager/postgres#172
  [Object.assign(new Error('prepared statement "p1" already exists'), { code: '42P05' }), 'failing'],
  // from: pgbouncer/pgbouncer#1118
  [Object.assign(new Error('prepared statement name is already in use'), { code: '08P01' }), 'failing'],
  // What PgBouncer says at max_client_conn, under the code of a wrong message.
  [Object.assign(new Error('no more connections allowed (max_client_conn)'), { code: '08P01' }), 'unreachable'],
  [new Error('the database is away', { cause: standby }), 'read_only'],
  [new Error('the server is a standby, which takes no writes'), 'read_only'],
  [new Error('something new'), 'failing'],
  ['no error at all', 'failing'],
])('an error of the database is one of the failures: %s', ([error, word]) => {
  expect(storeFailureOf(error)).toBe(word)
})
