import { formatUsd } from '../core/money.ts'
import type { BudgetAlert } from './alert.ts'
import { hasTooLittleLeft, remainingOf } from './alert-on-wire.ts'
import { isAdminAlert, type AdminAlertKind } from './admin-alert.ts'
import type { OutgoingAlert } from './carrier.ts'
import { isEndingAlert } from './ending-alert.ts'

export interface MailText {
  readonly subject: string
  readonly body: string
}

const ADMIN_TEXTS: Readonly<
  Record<AdminAlertKind, (name: string) => { readonly subject: string; readonly texts: readonly string[] }>
> = {
  doubted_usage: (name) => ({
    subject: `Tollgate: the upstream ${name} reports usage that cannot be right`,
    texts: [
      `The upstream ${name} reported more usage than is possible, or none for an answer that had some.`,
      'Such requests are charged at most at the limits of their model, and what was reported as nothing is counted by the gateway. Their usage records say why. Check that each model has its context_tokens and max_output_tokens, and that the upstream reports what it bills.',
    ],
  }),
  credential_held: (name) => ({
    subject: `Tollgate: the provider refuses the credential ${name}`,
    texts: [
      `The provider refuses the credential ${name}, or says that its account has nothing left. It is held: other targets serve its requests where there are any.`,
      'One request is let through after 1, 2, 5 and then every 10 minutes, so it comes back by itself when the provider takes it again. Check the credential and what its account has left.',
    ],
  }),
  credential_spend_cap: (name) => ({
    subject: `Tollgate: the credential ${name} has reached its cap for the day`,
    texts: [
      `The credential ${name} has cost what it may cost in a day of UTC. It is not used until midnight UTC: other targets serve its requests where there are any.`,
      'Raise spend_per_day of the credential where more is meant to be spent.',
    ],
  }),
  upstream_spend_cap: (name) => ({
    subject: `Tollgate: the upstream ${name} has reached its cap for the day`,
    texts: [
      `Requests to the upstream ${name} have cost what they may cost in a day of UTC. It is not used until midnight UTC: other targets serve its requests where there are any.`,
      'Raise spend_per_day of the upstream where more is meant to be spent.',
    ],
  }),
  target_spend_cap: (name) => ({
    subject: `Tollgate: the target ${name} has reached its cap for the day`,
    texts: [
      `Requests to the target ${name} (its upstream and its model) have cost what they may cost in a day of UTC. It is not used until midnight UTC: other targets serve its requests where there are any.`,
      'Raise spend_per_day of the target where more is meant to be spent.',
    ],
  }),
  spend_cap_near: (name) => ({
    subject: `Tollgate: ${name} has used 80 % of its cap for the day`,
    texts: [
      `${name} (an upstream, or one of its credentials or targets) has cost four fifths of what it may cost in a day of UTC. At the cap it is not used until midnight UTC.`,
      'Raise its spend_per_day where more is meant to be spent.',
    ],
  }),
  model_unserved: (name) => ({
    subject: `Tollgate: no upstream answers for the model ${name}`,
    texts: [
      `The last requests for the model ${name} all failed at their upstreams, and none was answered.`,
      'Their usage records have the attempts with their faults. Check the upstreams of the model, or give it another target.',
    ],
  }),
  settlement_set_aside: () => ({
    subject: 'Tollgate: a settlement is in no book',
    texts: [
      'The database refused a settlement as it is, several times, so it was set aside to hold up no other. Its request, account and cost stand in the log of the gateway.',
      'Run tollgate check-ledger, and book the cost by hand where it is owed.',
    ],
  }),
  backup_old: () => ({
    subject: 'Tollgate: the newest backup is old or missing',
    texts: [
      'Among the files in TOLLGATE_BACKUP_DIR, or those that TOLLGATE_BACKUP_FILES names, none is as new as TOLLGATE_BACKUP_MAX_AGE_HOURS asks for.',
      'Look at what writes them: the log of the gateway or of your own job, the disk, and whether this gateway may read the directory.',
    ],
  }),
  payment_held: (name) => ({
    subject: `Tollgate: money came for the order ${name}, and is not credited`,
    texts: [
      `A provider says that the order ${name} was paid, and it could not be credited: the amount or the currency is another, the balance would become too large, or the account is gone.`,
      'Credit the account by hand, or pay the money back at the provider. The list of orders on the page Plans & codes says which it is.',
    ],
  }),
  refund_held: (name) => ({
    subject: `Tollgate: more was paid back than is left of the order ${name}`,
    texts: [
      `A provider paid back more than is left of the order ${name}, or in another currency, such as by a dispute after a refund. Nothing was taken off the balance for it.`,
      'Look at the payment there, and adjust the balance by hand where the account owes it.',
    ],
  }),
  store_failing: () => ({
    subject: 'Tollgate: the database does not answer',
    texts: [
      'The database of the gateway has not answered for half a minute. New requests are refused with store_unavailable until it does; what is settled meanwhile waits in memory.',
      'Check the database, its disk and the way there.',
    ],
  }),
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
  const { kind } = alert
  if (isAdminAlert(kind)) {
    const { subject, texts } = ADMIN_TEXTS[kind](`"${alert.subjectName}"`)
    return { subject, body: paragraphs(...texts, 'This comes once an hour at most, to every admin.') }
  }
  if (isEndingAlert(kind)) return endingText(alert)
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

/** Of an end that is announced. */
function endingText(alert: BudgetAlert): MailText {
  const { kind, subjectName, resetsAt, accountEmail } = alert
  const when = resetsAt === null ? 'soon' : `on ${englishTime(resetsAt)}`
  const account = `Account: ${accountEmail}`
  if (kind === 'renewal_failed') {
    return {
      subject: `Your subscription "${subjectName}" is not renewed, and ends ${when}`,
      body: paragraphs(
        `Your subscription "${subjectName}" was to be renewed from your balance. ${whyNotRenewed(alert)}`,
        `It ends ${when}; requests are paid from your balance from then on, as far as it reaches.`,
        account,
      ),
    }
  }
  return kind === 'key_ending'
    ? {
        subject: `Your API key "${subjectName}" expires ${when}`,
        body: paragraphs(
          `Your API key "${subjectName}" expires ${when}. Requests with it are refused from then on.`,
          'Give it a later date in the console if it is still needed.',
          account,
        ),
      }
    : {
        subject: `Your subscription "${subjectName}" ends ${when}`,
        body: paragraphs(
          `Your subscription "${subjectName}" ends ${when}. Requests are paid from your balance from then on, as far as it reaches.`,
          'To keep it, redeem a code for the plan, or ask your admin to renew it.',
          account,
        ),
      }
}

function whyNotRenewed(alert: BudgetAlert): string {
  const price = `$${formatUsd(alert.limit)}`
  if (alert.limit === 0n) return 'The plan is not sold any more.'
  if (alert.used === 0n)
    return `It costs ${price} now, which is more than you agreed to: agree to it on the page Billing.`
  return `It costs ${price}, and your balance has only $${formatUsd(remainingOf(alert))}: top up before it ends.`
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
