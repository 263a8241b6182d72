import type { AuditNote, Changes } from '../../access/audit.ts'
import { withoutTemplateTexts } from '../settings/alert-template.ts'

/** What the audit says of changes of settings, whichever way they are made. Texts of a template may hold a secret. */
export function settingsUpdated(changes: Changes): AuditNote {
  return { action: 'settings.update', subject: null, accountId: null, changes: withoutTemplateTexts(changes) }
}
