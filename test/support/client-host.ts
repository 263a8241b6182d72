/** A computer for the command line for people, in a folder of its own: its system, clock and programs are the test's. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import type { Host, ProgramCall, ProgramResult } from '../../client/host.ts'

export interface HandHost extends Host {
  readonly printed: () => string
  readonly remarked: () => string
  /** What was run, opened or handed over, in order. */
  readonly calls: ProgramCall[]
  readonly pass: (ms: number) => void
}

interface Chosen {
  readonly system?: Host['system']
  readonly env?: Record<string, string>
  /** The folder of an earlier one, to go on with. */
  readonly home?: string
  readonly answer?: boolean | null
  readonly usesHttpsProxy?: boolean
  readonly run?: (call: ProgramCall) => Partial<ProgramResult> | Promise<Partial<ProgramResult>>
}

/** A host whose waits pass at once. No program is there unless `run` plays it. */
export function handHost({
  system = 'linux',
  env = {},
  answer = true,
  run,
  home = newHome(),
  usesHttpsProxy = true,
}: Chosen = {}): HandHost {
  let nowMs = Date.parse('2026-11-30T08:00:00Z')
  let [printed, remarked] = ['', '']
  let draws = 0
  const calls: ProgramCall[] = []
  const play = async (call: ProgramCall): Promise<ProgramResult> => {
    calls.push(call)
    const missing = { code: null, stdout: '', stderr: '', isMissing: true }
    return run === undefined ? missing : { ...missing, isMissing: false, code: 0, ...(await run(call)) }
  }
  const ownFile = join(home, 'fetched.cjs')
  writeFileSync(ownFile, '// the program\n')
  return {
    system,
    // Of this computer: files are really written.
    paths: posix,
    env,
    home,
    root: join(home, 'root'),
    computerName: 'ada’s laptop',
    node: '/usr/bin/node',
    ownFile,
    version: '0.1.0',
    usesHttpsProxy,
    nowMs: () => nowMs,
    wait: async (ms) => {
      nowMs += ms
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
    },
    draw: () => `draw${process.pid}${draws++}${Math.random().toString(36).slice(2, 8)}`,
    print: (text) => void (printed += text),
    remark: (text) => void (remarked += text),
    confirm: async (question) => {
      printed += `${question}\n`
      return answer
    },
    run: play,
    start: async (call) => (await play(call)).code === 0,
    handOver: async (call) => (await play(call)).code ?? 1,
    printed: () => printed,
    remarked: () => remarked,
    calls,
    pass: (ms) => void (nowMs += ms),
  }
}

function newHome(): string {
  return mkdtempSync(join(tmpdir(), 'tollgate-client-'))
}
