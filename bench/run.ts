/**
 * `npm run bench -- run`: what the gateway costs beside nginx on the same work, and whether that is as little as promised.
 * And what it costs it to translate, beside what it costs it to pass the same through. The subject has one core to itself
 * and the load and the fake upstream share another, but for what is measured on all cores. bench/README.md explains it.
 */
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findOrInstall } from '../test/support/installed-tool.ts'
import { judge, type Extras } from './bars.ts'
import { describeMachine } from './machine/describe.ts'
import { assertStillBundled, bundleMeasured } from './machine/measured-bundle.ts'
import { FOREIGN_LIMIT } from './measure/quiet-turns.ts'
import { measureSetting, settingOf, type SettingOrder, type SettingResult } from './measure/setting.ts'
import { measureStartUp, type StartUp } from './measure/start-up.ts'
import { readOptions, type BenchOptions } from './options.ts'
import { findPeers } from './peers/find-peers.ts'
import type { Peer } from './peers/peer.ts'
import { writeBars, writeBooks, writeMachine, writeMemory, writeSeries } from './report/print.ts'
import { saveResults } from './report/save.ts'
import { withConnections } from './workload.ts'
import { WORKLOADS } from './workloads/all.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const directory = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
// Also when we are interrupted, which leaves no time to wait.
process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
try {
  process.exitCode = (await bench(process.argv.slice(2))) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** Whether every bar was met and the books agree. */
async function bench(argv: readonly string[]): Promise<boolean> {
  const options = readOptions(argv)
  const entry = resolve(options.entry ?? join(ROOT, 'bin/tollgate.js'))
  const entries = options.beside === null ? [entry] : [entry, resolve(options.beside)]
  for (const one of entries) await bundleMeasured(one)
  const nginxPath = await findOrInstall('nginx')
  const machine = await describeMachine(nginxPath)
  console.log(`${writeMachine(machine)}\n`)
  const peers = await findPeers(options.peers, directory, say)
  const starts = await timeStarts(options)
  const results = await measure(options, { entry, nginxPath, peers })
  for (const one of entries) assertStillBundled(one)
  const series = results.flatMap((one) => one.series)
  const memory = options.starts === 0 ? [] : (results[0]?.memory ?? [])
  const ours = memory.filter(({ name }) => name === 'gateway')
  const bars = judge(series, {
    ...starts,
    idleMb: ours.map(({ idleMb }) => idleMb),
    afterMb: ours.flatMap(({ afterMb }) => afterMb ?? []),
  })
  const books = results.map((one) => one.books)
  if (memory.length > 0) console.log(`${writeMemory(memory)}\n`)
  console.log(`${books.map(writeBooks).join('\n')}\n\n${writeBars(bars)}`)
  if (options.saveAs !== null) {
    const what = { what: options.saveAs, now: new Date() }
    console.log(`\nsaved as bench/results/${await saveResults({ machine, bars, memory, books, series }, what)}`)
  }
  return books.every(({ agree }) => agree) && bars.every((bar) => bar.met)
}

/** Each start without data, and a second one on the data that the first one left. */
async function timeStarts({ starts, entry, plan }: BenchOptions): Promise<Pick<Extras, 'readyMs' | 'againMs'>> {
  const direct = [process.execPath, resolve(entry ?? join(ROOT, 'bin/tollgate.js')), 'start']
  const first = entry === null ? ['npm', 'start'] : direct
  const readyMs: StartUp[] = []
  const againMs: StartUp[] = []
  const most = starts === 0 ? 0 : starts + plan.spareTurns
  for (let i = 0; i < most && quietStarts(readyMs, againMs) < starts; i++) {
    const place = { directory: join(directory, `start-${i}`), cwd: ROOT }
    readyMs.push(await measureStartUp(first, place))
    againMs.push(await measureStartUp(direct, place))
  }
  return { readyMs: timesOf(readyMs), againMs: timesOf(againMs) }
}

function quietStarts(...all: readonly (readonly StartUp[])[]): number {
  return Math.min(...all.map((some) => some.filter(isQuietStart).length))
}

/** Null when something else used the cores in each of them. */
function timesOf(starts: readonly StartUp[]): number[] | null {
  const quiet = starts.filter(isQuietStart)
  return starts.length > 0 && quiet.length === 0 ? null : quiet.map(({ readyMs }) => readyMs)
}

function isQuietStart({ foreign }: StartUp): boolean {
  return foreign <= FOREIGN_LIMIT
}

/** One result for each arrangement of cores that the workloads need; the first has the most of them. */
async function measure(
  options: BenchOptions,
  { entry, nginxPath, peers }: { readonly entry: string; readonly nginxPath: string; readonly peers: readonly Peer[] },
): Promise<SettingResult[]> {
  const order: SettingOrder = {
    directory,
    nginxPath,
    peers,
    entry,
    beside: besideOf(options, entry),
    plan: options.plan,
    wantsMemory: options.starts > 0,
    onSeries: (series) => say(writeSeries(series)),
    say,
  }
  const chosen = options.workloads.map((name) => withConnections(WORKLOADS[name], options.connections))
  const settings = [...new Set(chosen.map(settingOf))]
  const results: SettingResult[] = []
  for (const setting of settings) {
    const there = chosen.filter((workload) => settingOf(workload) === setting)
    results.push(await measureSetting(setting, there, order))
  }
  return results
}

function besideOf({ beside, workers }: BenchOptions, entry: string): SettingOrder['beside'] {
  if (beside === null && workers === null) return null
  return { entry: beside === null ? entry : resolve(beside), workers }
}

function say(text: string): void {
  console.log(`${text}\n`)
}
