/** A source that is in use while it is read, and what of it has arrived. */
import type { Store } from '../../../src/store/store.ts'

const MOST_MOVES = 500
const MOST_ENTRIES = 10

/** Moves the source until the run is over; resolves to how often, and to what the run did. */
export async function runWhileMoving<Outcome>(
  run: () => Promise<Outcome>,
  move: (turn: number) => Promise<void>,
): Promise<{ readonly outcome: Outcome; readonly moved: number }> {
  const isOver = { now: false }
  const running = run().finally(() => (isOver.now = true))
  let moved = 0
  while (!isOver.now && moved < MOST_MOVES) {
    moved += 1
    await move(moved)
    // An embedded source is written at once: leave the other its turn.
    await new Promise(setImmediate)
  }
  return { outcome: await running, moved }
}

/** What imports have brought to all accounts, whatever was spent of it since. */
export async function broughtBalances(store: Store, mostAccounts: number): Promise<bigint> {
  let brought = 0n
  for (const { id } of await store.accounts.list(mostAccounts)) {
    const entries = await store.ledger.entries(id, MOST_ENTRIES)
    brought += entries.reduce((all, { kind, amount }) => all + (kind === 'import' ? amount : 0n), 0n)
  }
  return brought
}
