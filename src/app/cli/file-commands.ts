import { writeFile } from 'node:fs/promises'
import { shownText } from '../../core/shown-text.ts'
import { exportFile } from '../declarative/export-file.ts'
import { readEnvironment } from '../installation/environment.ts'
import { requireInstallation } from '../opening/open-installation.ts'
import { auditedChange } from '../audited-change.ts'
import { CommandFailure, UsageError } from './cli-host.ts'
import type { CommandRun } from './command.ts'
import { withInstallation } from './with-installation.ts'
import { applyDeclarativeFile } from '../declarative/apply-declarative.ts'
import { readDeclarativeFile } from '../declarative/declarative-file.ts'
import { previewStore } from '../declarative/preview-store.ts'
import { readOperands } from './read-value.ts'

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
    await auditedChange({ store, nowMs }, (_stores, audit) => audit(EXPORTED))
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

const EXPORTED = { action: 'configuration.export', subject: null, accountId: null, changes: {} } as const

async function write(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { mode: FILE_MODE, flag: 'wx' })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw new CommandFailure(`${path} cannot be written (${code}): name a file that is not there, in a folder that is.`)
  }
}

/** Applies a declarative file to the installation, beside its running gateways, or says what that would change. */
export const apply: CommandRun = async (call, host) => {
  const [path] = readOperands(call, { words: 'apply', names: ['FILE'] })
  const isTrial = call.has('dry-run')
  // A trial makes nothing, so there has to be something to try it on.
  if (isTrial) requireInstallation(readEnvironment(host.environment))
  const file = await readDeclarativeFile(path, host.environment, 'FILE')
  return withInstallation(host, async ({ store, sealer, hashSecret }) => {
    const target = isTrial ? previewStore(store) : store
    const applied = await applyDeclarativeFile(file, { store: target, sealer, hashSecret, nowMs: host.nowMs() })
    for (const warning of applied.warnings) host.remark(`${shownText(warning)}\n`)
    for (const change of applied.changes) host.print(`${isTrial ? 'would change' : 'changed'}: ${shownText(change)}\n`)
    if (applied.changes.length === 0) host.print('Nothing is different.\n')
    return 0
  })
}
