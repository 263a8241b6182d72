/**
 * What the gateway costs beside nginx on the same work, and whether that is as little as promised.
 * And what it costs it to translate, beside what it costs it to pass the same through. The subject has one core to itself
 * and the load and the fake upstream share another, but for what is measured on all cores. bench/README.md explains it.
 */
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findOrInstall } from '../../test/support/installed-tool.ts'
import { inFolder } from '../command.ts'
import { judge, type Extras } from './bars.ts'
import { describeMachine } from './machine/describe.ts'
import { assertStillBundled, bundleMeasured } from './machine/measured-bundle.ts'
import { FOREIGN_LIMIT } from './measure/series.ts'
import { measureSetting, settingOf, type SettingOrder, type SettingResult } from './measure/setting.ts'
import { measureStartUp, type StartUp } from './measure/start-up.ts'
import { readOptions, type BenchOptions } from './options.ts'
import { writeBars, writeBooks, writeMachine, writeMemory, writeSeries } from './print.ts'
import { WORKLOADS } from './workloads.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ENTRY = join(ROOT, 'bin/tollgate.js')

/** Resolves with whether every bar was met and the books agree. */
export async function compare(argv: readonly string[]): Promise<boolean> {
  const options = readOptions(argv)
  return inFolder('bench', (directory) => compareIn(directory, options))
}

async function compareIn(directory: string, options: BenchOptions): Promise<boolean> {
  const entries = options.beside === null ? [ENTRY] : [ENTRY, resolve(options.beside)]
  for (const one of entries) await bundleMeasured(one)
  const nginxPath = await findOrInstall('nginx')
  console.log(`${writeMachine(await describeMachine(nginxPath))}\n`)
  const starts = await timeStarts(directory, options)
  const results = await measure(options, { directory, nginxPath })
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
  return books.every(({ agree }) => agree) && bars.every((bar) => bar.met)
}

/** Each start without data, and a second one on the data that the first one left. */
async function timeStarts(
  directory: string,
  { starts, plan }: BenchOptions,
): Promise<Pick<Extras, 'readyMs' | 'againMs'>> {
  const readyMs: StartUp[] = []
  const againMs: StartUp[] = []
  const most = starts === 0 ? 0 : starts + plan.spareTurns
  for (let i = 0; i < most && quietStarts(readyMs, againMs) < starts; i++) {
    const place = { directory: join(directory, `start-${i}`), cwd: ROOT }
    readyMs.push(await measureStartUp(['npm', 'start'], place))
    againMs.push(await measureStartUp([process.execPath, ENTRY, 'start'], place))
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
  given: Pick<SettingOrder, 'directory' | 'nginxPath'>,
): Promise<SettingResult[]> {
  const order: SettingOrder = {
    ...given,
    entry: ENTRY,
    beside: besideOf(options),
    peers: options.peers,
    plan: options.plan,
    wantsMemory: options.starts > 0,
    onSeries: (series) => say(writeSeries(series)),
    say,
  }
  const chosen = options.workloads.map((name) => WORKLOADS[name])
  const settings = [...new Set(chosen.map(settingOf))]
  const results: SettingResult[] = []
  for (const setting of settings) {
    const there = chosen.filter((workload) => settingOf(workload) === setting)
    results.push(await measureSetting(setting, there, order))
  }
  return results
}

function besideOf({ beside, workers }: BenchOptions): SettingOrder['beside'] {
  if (beside === null && workers === null) return null
  return { entry: beside === null ? ENTRY : resolve(beside), workers }
}

function say(text: string): void {
  console.log(`${text}\n`)
}
