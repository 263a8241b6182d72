import { shownText } from '../../core/shown-text.ts'
import { applyDeclarativeFile } from '../declarative/apply-declarative.ts'
import { readDeclarativeFile } from '../declarative/declarative-file.ts'
import { previewStore } from '../declarative/preview-store.ts'
import { readEnvironment } from '../installation/environment.ts'
import { requireInstallation } from '../opening/open-installation.ts'
import type { CommandRun } from './command.ts'
import { readOperands } from './read-value.ts'
import { withInstallation } from './with-installation.ts'

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
