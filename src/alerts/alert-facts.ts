import type { AlertFacts } from '../core/alert-template.ts'
import { alertOnWire } from './alert-on-wire.ts'
import type { OutgoingAlert } from './carrier.ts'
import { MAIL_TEXTS } from './mail-texts.ts'

/** What the placeholders of a template stand for in an alert; empty: it has none. Amounts are in USD. */
export function alertFacts(alert: OutgoingAlert): AlertFacts {
  const { subject, body } = MAIL_TEXTS.en(alert)
  const wire = alertOnWire(alert)
  return {
    title: subject,
    text: body.trimEnd(),
    id: wire.id,
    type: wire.type,
    created_at: wire.created_at,
    account_id: wire.account?.id ?? '',
    account_email: wire.account?.email ?? '',
    subject_kind: wire.subject.kind,
    subject_id: wire.subject.id,
    subject_name: wire.subject.name ?? '',
    percent: wire.percent === null ? '' : String(wire.percent),
    limit: wire.limit,
    used: wire.used,
    remaining: wire.remaining,
    window: wire.window ?? '',
    resets_at: wire.resets_at ?? '',
    ends_at: wire.ends_at ?? '',
  }
}
