import type { AlertCarrier, OutgoingAlert, SendOutcome } from './carrier.ts'
import type { MailSettings } from './mail-address.ts'
import type { MailLimits } from './mail-connection.ts'
import { MailFailure } from './mail-failure.ts'
import { mailText } from './mail-texts.ts'
import { sendMail } from './send-mail.ts'

export interface MailOptions extends MailSettings {
  readonly limits?: MailLimits
}

/** Mails alerts to the account they are about. */
export class MailCarrier implements AlertCarrier {
  readonly way = 'mail'
  readonly #options: MailOptions

  constructor(options: MailOptions) {
    this.#options = options
  }

  async send(alert: OutgoingAlert, signal: AbortSignal): Promise<SendOutcome> {
    const { limits, ...settings } = this.#options
    const { subject, body } = mailText(alert)
    const messageId = messageIdOf(alert.id, settings.from.address)
    const mail = { to: alert.accountEmail, subject, text: body, messageId }
    try {
      await sendMail(settings, mail, { signal, ...(limits === undefined ? {} : { limits }) })
      return { kind: 'delivered' }
    } catch (error) {
      const { isRefusal, message: failure } = error instanceof MailFailure ? error : UNKNOWN
      return isRefusal ? { kind: 'refused', failure } : { kind: 'failed', failure, retryAfterMs: null }
    }
  }
}

const UNKNOWN = new MailFailure('the mail could not be sent')

/** One id for every try, so that a mailbox which gets a message twice can show it once. */
function messageIdOf(alertId: string, sender: string): string {
  return `<${alertId.replace(/[^A-Za-z0-9_-]+/g, '.')}@${sender.slice(sender.indexOf('@') + 1)}>`
}
