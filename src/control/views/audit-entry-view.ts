import type { NamedEntry } from '../../access/audit.ts'
import type { AuditEntryView } from '../../contract/administration.ts'
import { withoutTemplateTexts } from '../settings/alert-template.ts'
import { timeOnWire } from '../api/wire-forms.ts'

/** An entry of the audit as admins read it. */
export function auditEntryView(entry: NamedEntry): AuditEntryView {
  return {
    id: entry.id,
    created_at: timeOnWire(entry.createdAt),
    actor: entry.actor,
    actor_email: entry.actorEmail,
    via: entry.via,
    address: entry.address,
    action: entry.action,
    subject: entry.subject,
    subject_name: entry.subjectName,
    account_id: entry.accountId,
    account_email: entry.accountEmail,
    // Entries of versions before have it as it was written.
    changes: withoutTemplateTexts(entry.changes),
  }
}
