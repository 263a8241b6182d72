import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../core/clock.ts'
import { openStore } from '../open-store.ts'
import { Thread } from './thread.ts'

let directory: string

beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'tollgate-priority-'))))
afterEach(async () => await rm(directory, { recursive: true }))

/** The thread of a database whose tables are there, and how nice Linux has it. */
async function aThread() {
  const store = await openStore({ databaseUrl: null, dataDirectory: directory, clock: systemClock })
  await store.close()
  const before = new Set(threads().map(({ id }) => id))
  const thread = await Thread.start(join(directory, 'tollgate.db'), 'writer')
  await thread.openJournal()
  return { thread, niceness: () => threads().find(({ id, name }) => name === 'sqlite' && !before.has(id))?.nice }
}

const ownNiceness = (): number | undefined => threads().find(({ id }) => id === process.pid)?.nice

describe.runIf(process.platform === 'linux')('the thread of the database', () => {
  test('yields to the one that carries requests', async () => {
    const { thread, niceness } = await aThread()
    const own = ownNiceness()
    const first = niceness()
    await thread.takeJournal()
    await thread.takeJournal()
    expect([niceness(), ownNiceness()]).toEqual([Math.min(19, Number(own) + 5), own])
    expect(first).toBe(own)
    await thread.close()
  })

  test('does not where several carry requests', async () => {
    const { thread, niceness } = await aThread()
    const beside = Thread.attach(thread.share())
    await beside.takeJournal()
    await thread.takeJournal()
    expect(niceness()).toBe(ownNiceness())
    await beside.close()
    await thread.close()
  })
})

/** The threads of this process as Linux has them (proc_pid_stat(5), field 19). */
function threads(): readonly { id: number; name: string; nice: number }[] {
  return readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { id: Number(id), name, nice: Number(fields[16]) }
  })
}
