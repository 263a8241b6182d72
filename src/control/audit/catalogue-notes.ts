/** What the audit says of changes of groups, models and upstreams, whichever way they are made. */
import { isDeepStrictEqual } from 'node:util'
import { type AuditNote, type Changes, changesBetween } from '../../access/audit.ts'
import type { Group } from '../../access/group.ts'
import type { Model, Upstream } from '../../routing/catalog.ts'
import type { CredentialState } from '../../routing/credential-states.ts'
import { markedSettings } from '../models/credential-states.ts'
import { groupSettings } from '../views/group-view.ts'
import { changedClaudeSettings } from './claude-settings-changes.ts'
import { modelSettings } from '../views/model-view.ts'
import { auditedUpstream, credentialSecrets } from '../views/upstream-view.ts'

/** `before`: null where it is new. */
export function groupNote(before: Group | null, after: Group): AuditNote {
  const { claude_settings: _, ...changes } = changesBetween(
    before === null ? {} : groupSettings(before),
    groupSettings(after),
  )
  const ofClaude = changedClaudeSettings(before?.claudeSettings, after.claudeSettings)
  return noteOf('group', { before, after }, { ...changes, ...ofClaude, ...clearedCache(before, after) })
}

/** Nothing of a rule tells that what was kept by it is not given again. */
function clearedCache(before: Group | null, after: Group): Changes {
  const [was, is] = [before?.cache?.since, after.cache?.since]
  const isCleared = was !== undefined && is !== undefined && was !== is
  return isCleared ? { kept_answers: { before: null, after: 'cleared' } } : {}
}

/** `before`: null where it is new. */
export function modelNote(
  before: Model | null,
  after: Model,
  catalogue: { readonly upstreams: readonly Upstream[]; readonly groups: readonly Group[] },
): AuditNote {
  const settings = before === null ? {} : modelSettings(before, catalogue)
  return noteOf('model', { before, after }, changesBetween(settings, modelSettings(after, catalogue)))
}

/** `before`: null where it is new. Of a credential it is said that it was replaced. */
export function upstreamNote(before: Upstream | null, after: Upstream): AuditNote {
  const changes = changesBetween(before === null ? {} : auditedUpstream(before), auditedUpstream(after))
  const isNewCredential = before !== null && !isDeepStrictEqual(credentialSecrets(before), credentialSecrets(after))
  const replaced = isNewCredential ? { credential: { before: null, after: 'replaced' } } : {}
  return noteOf('upstream', { before, after }, { ...changes, ...replaced })
}

/** How a credential is marked, which is kept beside its upstream. */
export function credentialNote({
  before,
  after,
}: {
  readonly before: CredentialState
  readonly after: CredentialState
}): AuditNote {
  const { upstreamId: subject, name } = after
  const changes = changesBetween(markedSettings(before), markedSettings(after))
  const credential = { before: name, after: name }
  return { action: 'upstream.credential', subject, accountId: null, changes: { ...changes, credential } }
}

function noteOf(
  kind: 'group' | 'model' | 'upstream',
  { before, after }: { readonly before: object | null; readonly after: { readonly id: string } },
  changes: Changes,
): AuditNote {
  return { action: `${kind}.${before === null ? 'create' : 'update'}`, subject: after.id, accountId: null, changes }
}
