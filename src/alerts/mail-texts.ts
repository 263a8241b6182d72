import { formatUsd } from '../core/money.ts'
import type { BudgetAlert } from './alert.ts'
import { hasTooLittleLeft, remainingOf } from './alert-on-wire.ts'
import type { OutgoingAlert } from './carrier.ts'

export interface MailText {
  readonly subject: string
  readonly body: string
}

/** The mails to account holders, in each language. */
export const MAIL_TEXTS: Readonly<Record<'en', (alert: OutgoingAlert) => MailText>> = { en: english }

function english(alert: OutgoingAlert): MailText {
  if (alert.kind === 'trial') {
    return {
      subject: 'Tollgate test alert',
      body: paragraphs(`Alerts about the account ${alert.accountEmail} will arrive here. This is only a test.`),
    }
  }
  if (alert.kind === 'doubted_usage') {
    return {
      subject: `Tollgate: the upstream "${alert.subjectName}" reports usage that cannot be right`,
      body: paragraphs(
        `The upstream "${alert.subjectName}" reported more usage than is possible, or none for an answer that had some.`,
        'Such requests are charged at most at the limits of their model, and what was reported as nothing is counted by the gateway. Their usage records say why. Check that each model has its context_tokens and max_output_tokens, and that the upstream reports what it bills.',
        'This comes once an hour at most for each upstream, to every admin.',
      ),
    }
  }
  const remaining = `$${formatUsd(remainingOf(alert))}`
  if (alert.kind === 'low_balance') {
    return {
      subject: `Your Tollgate balance is low: ${remaining} left`,
      body: paragraphs(
        `The balance of your account ${alert.accountEmail} is down to ${remaining}.`,
        'Requests that need more than that, and that no subscription pays for, are refused until it is topped up.',
      ),
    }
  }
  const what = alert.kind === 'key_quota' ? `API key "${alert.subjectName}"` : `subscription "${alert.subjectName}"`
  const quota = alert.window === null ? 'quota' : `${alert.window} quota`
  const [limit, used] = [`$${formatUsd(alert.limit)}`, `$${formatUsd(alert.used)}`]
  return {
    subject: hasTooLittleLeft(alert)
      ? `The ${quota} of your ${what} has been used up: ${remaining} left`
      : `${alert.percent}% of the ${quota} of your ${what} is used`,
    body: paragraphs(
      `Your ${what} has used ${used} of its ${quota} of ${limit}; ${remaining} is left.`,
      `${reset(alert)} ${consequence(alert)}`,
      `Account: ${alert.accountEmail}`,
    ),
  }
}

function reset({ window, resetsAt }: BudgetAlert): string {
  if (resetsAt !== null) return `The quota resets on ${englishTime(resetsAt)}.`
  return window === null ? 'This quota does not reset.' : `The quota resets ${window} after it is first used.`
}

function consequence(alert: BudgetAlert): string {
  const { kind, percent, resetsAt } = alert
  const until = resetsAt === null ? '' : ' until then'
  if (hasTooLittleLeft(alert)) {
    return kind === 'subscription'
      ? `A request needed more than what is left. Such requests are paid from your balance${until}, as far as it reaches.`
      : `A request needed more than what is left. Such requests with this key are refused${until}.`
  }
  if (kind === 'subscription') {
    return percent === 100
      ? `Requests are paid from your balance${until}, as far as it reaches.`
      : 'When it is used up, requests are paid from your balance, as far as it reaches.'
  }
  return percent === 100 ? `Requests with this key are refused${until}.` : 'When it is used up, requests are refused.'
}

/** Such as 2026-11-21 18:00 UTC. */
function englishTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function paragraphs(...texts: readonly string[]): string {
  return `${texts.join('\n\n')}\n`
}
