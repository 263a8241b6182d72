import { type NanoUsd, parseUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { readMailSender, readMailServer } from '../../alerts/mail-address.ts'
import { WEBHOOK_FORMATS } from '../../alerts/webhook-formats.ts'
import { oneOf, readBy, Reader, textLike, url, variable } from './variable.ts'
import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'

/** Budget alerts: where they go, and from which balance on. */
export const ALERT_VARIABLES = {
  webhookUrl: variable({
    name: 'TOLLGATE_ALERT_WEBHOOK_URL',
    meaning: 'where budget alerts are posted, signed',
    ifUnset: 'none are posted',
    takes: 'an http or https URL',
    more: 'See [budget alerts](alerts.md#budget-alerts)',
    // Many receivers know their sender by the path alone.
    isSecret: true,
    value: url('http:', 'https:'),
  }),
  webhookFormat: variable({
    name: 'TOLLGATE_ALERT_WEBHOOK_FORMAT',
    meaning: 'the form of what is posted there: our own JSON, or a text for a group chat',
    more: 'See [budget alerts](alerts.md#budget-alerts)',
    ...oneOf(...WEBHOOK_FORMATS),
    unset: 'json',
  }),
  webhookSecret: variable({
    name: 'TOLLGATE_ALERT_WEBHOOK_SECRET',
    meaning:
      'signs what is posted there; required with TOLLGATE_ALERT_WEBHOOK_URL for the format json, possible for feishu and dingtalk',
    takes:
      'at least 24 printable ASCII characters without spaces, or whsec_ and 24 to 64 bytes in base64, such as what "echo whsec_$(openssl rand -base64 32)" prints; with feishu and dingtalk the secret that the bot shows',
    isSecret: true,
    value: textLike(/^[\x21-\x7e]{1,512}$/),
  }),
  mailServer: variable({
    name: 'TOLLGATE_SMTP_URL',
    meaning: 'the mail server that budget alerts to account holders go through',
    ifUnset: 'no mail is sent',
    takes: 'a URL such as smtp://user:password@mail.example.com:587 or smtps://mail.example.com, without a path',
    more: 'See [budget alerts](alerts.md#budget-alerts)',
    isSecret: true,
    value: readBy(readMailServer),
  }),
  mailAuthorities: variable({
    name: 'TOLLGATE_SMTP_CA_FILE',
    meaning:
      'certificates that the certificate of the mail server may be signed by, beside those that this machine trusts',
    takes: 'the path of a file with certificates in PEM',
    more: 'See [mail](alerts.md#mail)',
    value: readBy(certificatesIn),
  }),
  mailFrom: variable({
    name: 'TOLLGATE_MAIL_FROM',
    meaning: 'the sender of mail; required with TOLLGATE_SMTP_URL',
    takes: 'an email address, alone or as in Tollgate <alerts@example.com>',
    value: readBy(readMailSender),
  }),
  /** null: none is an alert. */
  lowBalance: variable({
    name: 'TOLLGATE_LOW_BALANCE_USD',
    meaning: 'a balance that falls below it is an alert; 0 for none',
    ifUnset: '1',
    takes: 'an amount of USD such as 2.50, zero or more',
    value: new Reader(readUsd).as((amount) => (amount === ZERO_NANO_USD ? null : amount)),
    unset: parseUsd('1'),
  }),
} as const

function readUsd(given: string): NanoUsd | undefined {
  if (given.startsWith('-')) return undefined
  try {
    return parseUsd(given)
  } catch {
    return undefined
  }
}

/** Larger than the list of all public authorities; what is larger was named by mistake. */
const LARGEST_BYTES = 4_194_304

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates of a file in PEM, as text; null where it cannot be read or has none. */
function certificatesIn(path: string): string | null {
  try {
    if (statSync(path).size > LARGEST_BYTES) return null
    const text = readFileSync(path, 'utf8')
    // Throws for what is not a certificate.
    const found = (text.match(CERTIFICATE) ?? []).map((each) => new X509Certificate(each))
    return found.length === 0 ? null : text
  } catch {
    return null
  }
}
