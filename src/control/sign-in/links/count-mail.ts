import { addressKey } from '../../../access/address-key.ts'
import type { MailAnswer } from '../../../contract/sign-in.ts'
import type { SignInParts } from '../parts.ts'
import type { SignInRequest } from '../sign-in-request.ts'

/** Counts an email that a request makes us send. Throws Problem when its address asked for too many. */
export function countMail({ parts, address }: SignInRequest): void {
  parts.throttles.mailByAddress.spend(addressKey(address), 'Too many emails were requested from this address')
}

/** How a link gets to its reader. */
export function howMailed({ mail }: SignInParts): MailAnswer {
  return { sent_by: mail === null ? 'admin' : 'mail' }
}
