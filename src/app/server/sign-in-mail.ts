import type { SignInMail } from '../../control/sign-in.ts'
import { openTransport } from '../../alerts/mail.ts'
import type { MailSettings } from '../../alerts/mail-address.ts'

/** For the whole conversation with the mail server. */
const SENT_WITHIN_MS = 30_000

/** Mails links to people, by the server that alerts go through. It is loaded when there is something to send. */
export function createSignInMail({ server, from }: MailSettings): SignInMail {
  let opening: ReturnType<typeof openTransport> | null = null
  return {
    async send({ to, subject, text }) {
      opening ??= openTransport(server, SENT_WITHIN_MS)
      const transport = await opening
      await transport.sendMail({
        from,
        // As an object it is one address, whatever is in it.
        to: { name: '', address: to },
        subject,
        text,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
  }
}
