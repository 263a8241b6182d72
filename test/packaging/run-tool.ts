import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024
const ENDED_WITHIN_MS = 900_000

export interface ToolRun {
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end. Rejects with the end of what it printed when it fails. */
export async function runTool(program: string, ...args: readonly string[]): Promise<ToolRun> {
  const options = { maxBuffer: OUTPUT_LIMIT_BYTES, timeout: ENDED_WITHIN_MS, encoding: 'utf8' } as const
  try {
    return await promisify(execFile)(program, args, options)
  } catch (cause) {
    const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).slice(-3_000) : String(cause)
    throw new Error(`${program} ${args.slice(0, 3).join(' ')} failed: ${said}`, { cause })
  }
}

/** Installs Debian packages where one of the programs is missing; as root on Debian alone. */
export async function needTools(tools: Readonly<Record<string, string>>): Promise<void> {
  const missing: string[] = []
  for (const [program, debianPackage] of Object.entries(tools)) {
    if (!(await isThere(program))) missing.push(debianPackage)
  }
  if (missing.length === 0) return
  await runTool('apt-get', 'update', '-q')
  await runTool('apt-get', 'install', '-y', '-q', '--no-install-recommends', ...missing)
}

/** Whether it is found in the PATH. */
async function isThere(program: string): Promise<boolean> {
  return promisify(execFile)('sh', ['-c', `command -v "${program}"`]).then(
    () => true,
    () => false,
  )
}
