import { realpathSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import paths from 'node:path'
import type { Host, ProgramCall, ProgramResult, System } from './host.ts'

const MOST_OUTPUT_BYTES = 1_000_000
const USUAL_WITHIN_MS = 60_000
/** A program that opens a window has failed by then, if it does. */
const OPENS_WITHIN_MS = 1_500

/** The computer that this process runs on. Modules that a cached token does not need are loaded when they are used. */
export function processHost(version: string): Host {
  return {
    system: systemHere(),
    paths,
    env: process.env,
    home: process.env['HOME'] !== undefined && process.platform !== 'win32' ? process.env['HOME'] : homedir(),
    root: '',
    computerName: hostname(),
    node: process.execPath,
    ownFile: realpathSync(process.argv[1] ?? ''),
    version,
    usesHttpsProxy: canUseHttpsProxy(),
    nowMs: () => Date.now(),
    wait: (ms) =>
      new Promise((resolve) => {
        setTimeout(resolve, ms)
      }),
    draw: () => globalThis.crypto.randomUUID().replaceAll('-', '').slice(0, 12),
    print: (text) => void process.stdout.write(text),
    remark: (text) => void process.stderr.write(text),
    confirm,
    run,
    start,
    handOver,
  }
}

function systemHere(): System {
  return process.platform === 'win32' ? 'windows' : process.platform === 'darwin' ? 'macos' : 'linux'
}

/** The function that `useHttpsProxy` calls is there from 24.14 on. Asking for it would load a module that a cached token does without. */
function canUseHttpsProxy(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > 25 || (major === 25 && minor >= 4) || (major === 24 && minor >= 14)
}

async function confirm(question: string): Promise<boolean | null> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null
  const { createInterface } = await import('node:readline')
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.once('close', () => resolve(''))
      lines.question(`${question} [y/N] `, resolve)
    })
    return /^y(?:es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}

/** Commands that npm installs on Windows are scripts, which only the shell starts: it takes its words in quotation marks. */
function wordsOf({ program, args }: ProgramCall): { program: string; args: string[]; shell: boolean } {
  if (process.platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(program))
    return { program, args: [...args], shell: false }
  const quote = (word: string): string => `"${word.replaceAll('"', '""')}"`
  return { program: quote(program), args: args.map(quote), shell: true }
}

async function run(call: ProgramCall): Promise<ProgramResult> {
  const { spawn } = await import('node:child_process')
  return new Promise((resolve) => {
    const { program, args, shell } = wordsOf(call)
    const child = spawn(program, args, {
      shell,
      ...(call.folder === undefined ? {} : { cwd: call.folder }),
      env: { ...process.env, ...call.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      timeout: call.withinMs ?? USUAL_WITHIN_MS,
      killSignal: 'SIGKILL',
    })
    const stdout = collected(child.stdout)
    const stderr = collected(child.stderr)
    child.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ code: null, stdout: '', stderr: error.message, isMissing: error.code === 'ENOENT' }),
    )
    // Not `close`: what a program leaves running may hold its output open.
    child.on('exit', (code) =>
      setTimeout(() => resolve({ code, stdout: stdout(), stderr: stderr(), isMissing: false }), 50),
    )
    child.stdin.on('error', () => undefined)
    child.stdin.end(call.input ?? '')
  })
}

function collected(stream: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = []
  let bytes = 0
  stream.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes <= MOST_OUTPUT_BYTES) parts.push(part)
  })
  return () => Buffer.concat(parts).toString('utf8')
}

async function start({ program, args }: ProgramCall): Promise<boolean> {
  const { spawn } = await import('node:child_process')
  return new Promise((resolve) => {
    const child = spawn(program, [...args], { detached: true, stdio: 'ignore', windowsHide: true })
    const timer = setTimeout(() => resolve(true), OPENS_WITHIN_MS)
    const end = (isGood: boolean): void => {
      clearTimeout(timer)
      resolve(isGood)
    }
    child.on('error', () => end(false))
    child.on('exit', (code) => end(code === 0))
    child.unref()
  })
}

async function handOver(call: ProgramCall): Promise<number> {
  const { spawn } = await import('node:child_process')
  return new Promise((resolve, reject) => {
    const { program, args, shell } = wordsOf(call)
    const child = spawn(program, args, {
      shell,
      env: { ...process.env, ...call.env },
      stdio: 'inherit',
    })
    // The terminal sends its signals to both; the other one decides what becomes of them.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void child.kill(signal))
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
