/**
 * Answers of a good status that are none, and good ones that look odd: what providers and servers were seen to send. Each names
 * a public report of how the like was taken for what it is not. Used by the tests of the readers and of a whole gateway.
 */
import { chatAnswers } from './chat.ts'
import { converseAnswers } from './converse.ts'
import type { UpstreamAnswer } from './failed-answer.ts'
import { framedAnswers } from './framed.ts'
import { geminiAnswers } from './gemini.ts'
import { messagesAnswers } from './messages.ts'
import { responsesAnswers } from './responses.ts'

const ALL = [chatAnswers, messagesAnswers, responsesAnswers, geminiAnswers, converseAnswers, framedAnswers]

export const FAILED_ANSWERS: readonly UpstreamAnswer[] = ALL.flatMap(({ failed }) => failed)
export const FAILED_WHERE_TRANSLATED: readonly UpstreamAnswer[] = ALL.flatMap(
  ({ failedWhereTranslated }) => failedWhereTranslated,
)
export const GOOD_ANSWERS: readonly UpstreamAnswer[] = ALL.flatMap(({ good }) => good)
