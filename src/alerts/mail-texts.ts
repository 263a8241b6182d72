import { formatUsd } from '../core/money.ts'
import type { BudgetAlert } from './alert.ts'
import { hasTooLittleLeft, remainingOf } from './alert-on-wire.ts'
import { isAdminAlert, type AdminAlertKind } from '../core/alert-kinds.ts'
import type { OutgoingAlert } from './carrier.ts'
import { isEndingAlert } from './ending-alert.ts'

export interface MailText {
  readonly subject: string
  readonly body: string
}

interface AdminText {
  readonly subject: string
  readonly texts: readonly string[]
}

/** `{name}` stands for what it is about. */
const ADMIN_TEXTS: Readonly<Record<AdminAlertKind, AdminText>> = {
  doubted_usage: {
    subject: 'Tollgate: the upstream {name} reports implausible usage',
    texts: [
      'The upstream {name} reported more usage than is possible, or none for a response that had some.',
      'Such requests are charged at most up to the limits of their model, and the gateway counts what was reported as zero. Their usage records say why. Check that each model has its context_tokens and max_output_tokens, and that the upstream reports what it bills.',
    ],
  },
  credential_held: {
    subject: 'Tollgate: the provider rejects the credential {name}',
    texts: [
      'The provider rejects the credential {name}, or says that its account is out of credit. It is held: other targets serve its requests where there are any.',
      'One request is let through after 1, 2, 5 and then every 10 minutes, so it is back in use once the provider accepts it again. Check the credential and the credit of its account.',
    ],
  },
  credential_spend_cap: spendCap('credential'),
  upstream_spend_cap: spendCap('upstream'),
  target_spend_cap: spendCap('target', ' (an upstream and a model)'),
  spend_cap_near: {
    subject: 'Tollgate: {name} has used 80% of its daily spending cap',
    texts: [
      '{name} (an upstream, or one of its credentials or targets) has used 80% of its spending cap for the day (UTC). At the cap, it is not used until midnight UTC.',
      'Raise its spend_per_day if it should spend more.',
    ],
  },
  model_unserved: {
    subject: 'Tollgate: no upstream is available for the model {name}',
    texts: [
      'The last requests for the model {name} all failed at their upstreams.',
      'Their usage records show the attempts and their errors. Check the upstreams of the model, or add another target.',
    ],
  },
  settlement_set_aside: {
    subject: 'Tollgate: a settlement is not recorded',
    texts: [
      'The database rejected a settlement several times, so it was set aside to let others through. The log of the gateway has its request, account and cost.',
      'Run tollgate check-ledger, and book the cost by hand if it is owed.',
    ],
  },
  backup_old: {
    subject: 'Tollgate: the newest backup is old or missing',
    texts: [
      'None of the files in TOLLGATE_BACKUP_DIR, or of those that TOLLGATE_BACKUP_FILES names, is as new as TOLLGATE_BACKUP_MAX_AGE_HOURS requires.',
      'Check what writes them: the log of the gateway or of your own job, the disk, and whether this gateway may read the directory.',
    ],
  },
  payment_held: {
    subject: 'Tollgate: a payment for the order {name} is not credited',
    texts: [
      'The payment provider reports that the order {name} was paid, but it could not be credited: the amount or the currency differs, the balance would become too large, or the account is gone.',
      'Credit the account by hand, or refund the payment at the provider. The list of orders on the Plans & codes page shows which it is.',
    ],
  },
  refund_held: {
    subject: 'Tollgate: more was refunded than was left of the order {name}',
    texts: [
      'The payment provider refunded more than was left of the order {name}, or in another currency, for example by a dispute after a refund. Nothing was deducted from the balance for it.',
      'Check the payment there, and adjust the balance by hand if the account owes it.',
    ],
  },
  account_device_reused: {
    subject: 'Tollgate: the sign-in of the device {name} may have been copied',
    texts: [
      'A refresh token of the device {name} was used again after it had been replaced. Its program and someone else may have the same sign-in, so the device was signed out on every node. The account is in brackets.',
      'The audit has the addresses (device.reused). Ask the owner whether the computer was restored from a copy, or its files were read by someone else.',
    ],
  },
  store_failing: {
    subject: 'Tollgate: the database is not responding',
    texts: [
      'The database of the gateway has not responded for half a minute. New requests are refused with store_unavailable until it does; settlements wait in memory meanwhile.',
      'Check the database, its disk and the connection to it.',
    ],
  },
}

function spendCap(what: string, note = ''): AdminText {
  return {
    subject: `Tollgate: the ${what} {name} has reached its daily spending cap`,
    texts: [
      `The ${what} {name}${note} has reached its spending cap for the day (UTC). It is not used until midnight UTC: other targets serve its requests where there are any.`,
      `Raise spend_per_day of the ${what} if it should spend more.`,
    ],
  }
}

/** The mail about an alert. */
export function mailText(alert: OutgoingAlert): MailText {
  if (alert.kind === 'trial') {
    return {
      subject: 'Tollgate test alert',
      body: paragraphs(`Alerts about the account ${alert.accountEmail} will arrive here. This is only a test.`),
    }
  }
  const { kind } = alert
  if (isAdminAlert(kind)) {
    const { subject, texts } = ADMIN_TEXTS[kind]
    const named = (text: string) => text.replaceAll('{name}', () => `"${alert.subjectName}"`)
    const body = paragraphs(...texts, 'This alert is sent at most once an hour, to every admin.')
    return { subject: named(subject), body: named(body) }
  }
  if (isEndingAlert(kind)) return endingText(alert)
  if (kind === 'device_reused') return reusedText(alert)
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

/** The text about an end that is announced. */
function endingText(alert: BudgetAlert): MailText {
  const { kind, subjectName, resetsAt, accountEmail } = alert
  const when = resetsAt === null ? 'soon' : `on ${englishTime(resetsAt)}`
  const account = `Account: ${accountEmail}`
  if (kind === 'renewal_failed') {
    return {
      subject: `Your subscription "${subjectName}" will not be renewed, and ends ${when}`,
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
          'If it is still needed, extend its expiry in the console.',
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

function reusedText({ subjectName, accountEmail }: BudgetAlert): MailText {
  return {
    subject: `Your device "${subjectName}" was signed out: its sign-in may have been copied`,
    body: paragraphs(
      `A refresh token of your device "${subjectName}" was used again after it had been replaced. Either the device was restored from a copy, or someone else has its sign-in.`,
      'It was signed out everywhere, with the secrets that it stored for other clients. Sign it in again if you know why; if you do not, check who can read the files of that computer first.',
      `Account: ${accountEmail}`,
    ),
  }
}

function whyNotRenewed(alert: BudgetAlert): string {
  const price = `$${formatUsd(alert.limit)}`
  if (alert.limit === 0n) return 'The plan is no longer sold.'
  if (alert.used === 0n)
    return `It now costs ${price}, more than you agreed to. You can agree to the new price on the Billing page.`
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

/** Formats a time, such as 2026-11-21 18:00 UTC. */
function englishTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function paragraphs(...texts: readonly string[]): string {
  return `${texts.join('\n\n')}\n`
}
