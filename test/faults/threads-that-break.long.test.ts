import { writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { runTollgate } from '../support/gateway-process.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { temporaryDirectory, testPostgres } from '../support/test-servers.ts'

// What becomes of a process of which one thread that carries requests fails.

const LONG = 'word '.repeat(400)

async function breakableGateway(threads: number, more: Readonly<Record<string, string>> = {}) {
  const breakFile = join(await temporaryDirectory(), 'break')
  const fresh = await freshEnvironment()
  const dataDirectory = fresh['TOLLGATE_DATA_DIR'] ?? ''
  const environment = {
    ...fresh,
    TOLLGATE_WORKERS: String(threads),
    NODE_OPTIONS: `--import=${new URL('./breaking-thread.ts', import.meta.url).href}`,
    FAULTS_BREAK_FILE: breakFile,
    ...more,
  }
  const gateway = await startGateway(environment)
  onTestFinished(() => gateway.kill())
  await expect.poll(gateway.printed, { timeout: PATIENCE_MS }).toMatch(/sk-tg-\w{46}/)
  const secret = /sk-tg-\w{46}/.exec(gateway.printed())?.[0] ?? ''
  const file = join(dataDirectory, 'tollgate.db')
  /** Resolves with whether it was answered to its end. */
  const ask = async (content: string) => {
    try {
      const answer = await fetch(`${gateway.origin}/v1/messages`, {
        method: 'POST',
        headers: { 'x-api-key': secret, connection: 'close' },
        body: JSON.stringify({
          model: 'demo/echo',
          max_tokens: 1000,
          stream: true,
          messages: [{ role: 'user', content }],
        }),
      })
      return (await answer.text()).includes('message_stop')
    } catch {
      return false
    }
  }
  return { gateway, environment, ask, breakFile, rows: (sql: string) => rowsOf(file, sql) }
}

function rowsOf(file: string, sql: string): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

test(
  'a thread that fails is started again: its requests end as after a crash, those of others go on, no money stays held',
  { timeout: 3 * PATIENCE_MS },
  async () => {
    const { gateway, environment, ask, breakFile, rows } = await breakableGateway(3)
    const asked = Array.from({ length: 30 }, () => ask(LONG))
    await expect.poll(() => rows('select id from open_requests').length, { timeout: PATIENCE_MS }).toBe(30)
    const before = rows('select id from nodes').map(({ id }) => id)
    await writeFile(`${breakFile}-1`, '')
    const whole = (await Promise.all(asked)).filter(Boolean).length
    expect(whole).toBeGreaterThan(0)
    expect(whole).toBeLessThan(30)
    // The two that were left, and one in place of the third.
    const nodes = () => rows('select id from nodes').map(({ id }) => id)
    await expect.poll(() => nodes().filter((id) => before.includes(id)).length, { timeout: PATIENCE_MS }).toBe(2)
    await expect.poll(() => nodes().length, { timeout: PATIENCE_MS }).toBe(3)
    const outcomes = () =>
      Object.fromEntries(
        rows('select outcome, count(*) as n from usage_records group by outcome').map(({ outcome, n }) => [outcome, n]),
      )
    await expect.poll(outcomes, { timeout: PATIENCE_MS }).toEqual({ completed: whole, interrupted: 30 - whole })
    expect((await Promise.all(Array.from({ length: 20 }, () => ask('hello')))).every(Boolean)).toBe(true)
    expect(await gateway.stop()).toBe(0)
    expect(rows('select sum(held_nano) as held from budgets')).toEqual([{ held: 0 }])
    expect(rows('select id from leases').length).toBe(0)
    const { stdout } = await runTollgate(environment, ['check-ledger'])
    expect(stdout).toMatch(/^ok/m)
  },
)

test(
  'a process of which a thread fails again and again ends, with its other requests served',
  { timeout: 3 * PATIENCE_MS },
  async () => {
    const { gateway, ask, breakFile } = await breakableGateway(2)
    expect(await ask('hello')).toBe(true)
    await writeFile(`${breakFile}-always`, '')
    await writeFile(`${breakFile}-1`, '')
    const deadline = performance.now() + PATIENCE_MS
    while (isRunning(gateway.processId) && performance.now() < deadline) await pause(50)
    expect(isRunning(gateway.processId)).toBe(false)
    expect(gateway.printed()).toContain('again and again')
    expect(gateway.printed()).toContain('"msg":"stopped"')
  },
)

test(
  'a thread that fails while the database is away is started again with it, however long that takes, and the process goes on',
  { timeout: 3 * PATIENCE_MS },
  async () => {
    const database = await cuttable((await testPostgres()).url)
    const { gateway, ask, breakFile } = await breakableGateway(3, {
      DATABASE_URL: database.url,
      TOLLGATE_SECRET: 'only for tests: 32 bytes and more',
    })
    expect(await ask('hello')).toBe(true)
    database.cut()
    for (const thread of [1, 2]) await writeFile(`${breakFile}-${thread}`, '')
    const ended = () => gateway.printed().split('restarting a thread that ended').length - 1
    await expect.poll(ended, { timeout: PATIENCE_MS }).toBeGreaterThanOrEqual(2)
    // Threads that were started at once would have ended again by now, and the process with them.
    await pause(5_000)
    expect(gateway.printed()).not.toContain('again and again')
    expect([ended(), isRunning(gateway.processId)]).toEqual([2, true])
    database.restore()
    const served = async () => (await Promise.all(Array.from({ length: 20 }, () => ask('hello')))).every(Boolean)
    await expect.poll(served, { timeout: PATIENCE_MS }).toBe(true)
    expect(await gateway.stop()).toBe(0)
  },
)

/** The database behind a port that can be taken from under the gateway. */
async function cuttable(url: string): Promise<{ readonly url: string; cut(): void; restore(): void }> {
  const behind = new URL(url)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) {
      client.destroy()
      return
    }
    const inner = connect(Number(behind.port), behind.hostname)
    for (const socket of [client, inner]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        inner.destroy()
      })
    }
    client.pipe(inner).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const front = new URL(url)
  front.hostname = '127.0.0.1'
  front.port = String((server.address() as AddressInfo).port)
  return {
    url: front.href,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    restore: () => {
      isCut = false
    },
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch {
    return false
  }
}
