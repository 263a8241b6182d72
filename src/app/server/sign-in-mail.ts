import type { SignInMail } from '../../control/sign-in.ts'
import type { MailSettings } from '../../alerts/mail-address.ts'
import { sendMail } from '../../alerts/send-mail.ts'

/** Mails links to people, by the server that alerts go through. */
export function createSignInMail(settings: MailSettings): SignInMail {
  return { send: (mail) => sendMail(settings, mail) }
}
