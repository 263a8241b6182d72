import { writeFile } from 'node:fs/promises'
import { shownText } from '../../core/shown-text.ts'
import { exportFile } from '../declarative/export-file.ts'
import { readEnvironment } from '../installation/environment.ts'
import { requireInstallation } from '../opening/open-installation.ts'
import { changeByCli } from './change-by-cli.ts'
import { CommandFailure, UsageError } from './cli-host.ts'
import type { CommandRun } from './command.ts'
import { withInstallation } from './with-installation.ts'

/** Only its owner reads it: it has hashes of secrets, and with --plain-secrets the credentials of upstreams. */
const FILE_MODE = 0o600

/** Writes the installation as a declarative file, of which `apply` makes the same one. */
export const exportInstallation: CommandRun = async (call, host) => {
  const [path, ...more] = call.operands
  if (more.length > 0) throw new UsageError('Give one file at most.')
  const isPlain = call.has('plain-secrets')
  if (isPlain && path === undefined) throw new UsageError('Give the file to write: plain secrets are not printed.')
  requireInstallation(readEnvironment(host.environment))
  return withInstallation(host, async ({ store, sealer }) => {
    const nowMs = host.nowMs()
    // Before it is made: who had it is known, also where it is never written.
    await changeByCli({ store, nowMs }, (_stores, audit) => audit(EXPORTED))
    const { text, remarks } = await exportFile({ store, opener: isPlain ? sealer : null, nowMs })
    for (const remark of remarks) host.remark(`${shownText(remark)}\n`)
    if (path === undefined) {
      host.printExactly(text)
      return 0
    }
    await write(path, text)
    host.remark(`Written to ${path}, for its owner alone. Apply it with the same TOLLGATE_SECRET.\n`)
    return 0
  })
}

const EXPORTED = { action: 'configuration.export', subject: null, accountId: null, changes: {} }

async function write(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { mode: FILE_MODE, flag: 'wx' })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw new CommandFailure(`${path} cannot be written (${code}): name a file that is not there, in a folder that is.`)
  }
}
