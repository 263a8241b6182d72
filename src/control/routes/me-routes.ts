import { limitsReport } from '../../contract/account-limits.ts'
import { me, mePatch, type Me } from '../../contract/me.ts'
import { changesBetween } from '../../access/audit.ts'
import type { AccountProfile } from '../../access/account.ts'
import { formatUsd, nanoUsd } from '../../core/money.ts'
import { rightsOf } from '../../core/roles.ts'
import { balanceBudget } from '../../metering/budgets/budget.ts'
import { type Actor, ownAccount } from '../who/actor.ts'
import { limitsReportOf } from '../accounts/account-limits.ts'
import type { ControlParts } from '../parts.ts'
import { existing } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { versionOf } from '../api/version.ts'
import { overview, overviewQuery } from '../../contract/overview.ts'
import { readOverview } from '../overview/overview.ts'

const route = routesOf('Account')

const readMe = route('get /api/me', {
  summary: 'Read who you are',
  description: 'The account that the credential is of, with its balance. The admin token has none: `account_needed`.',
  who: 'account',
  problems: ['account_needed'],
  answer: me,
  handle: (call, parts) => meOf(call.actor, call.nowMs, parts),
})

const changeMe = route('patch /api/me', {
  summary: 'Change your profile',
  description: 'What is left out stays as it is. The email address and the password are changed under /api/auth/.',
  who: 'account',
  problems: ['account_needed'],
  body: mePatch,
  answer: me,
  example: { body: { language: 'zh-CN', theme: 'dark' } },
  async handle(call, parts) {
    const { id } = ownAccount(call.actor)
    const { notifications, favourite_models: favourites, ...fields } = call.body
    const wanted: Partial<AccountProfile> = {
      ...(fields.name === undefined ? {} : { name: fields.name }),
      ...(fields.language === undefined ? {} : { language: fields.language }),
      ...(fields.theme === undefined ? {} : { theme: fields.theme }),
      ...(notifications === undefined ? {} : { wantsMail: notifications.mail }),
      ...(favourites === undefined ? {} : { favouriteModels: [...new Set(favourites)] }),
    }
    await call.change(async (store, audit) => {
      const { profile } = existing(await store.accounts.findOwn(id), 'account')
      call.requireVersion({ before: profileOnWire(profile), after: profileOnWire({ ...profile, ...wanted }) })
      await store.accounts.updateProfile(id, wanted)
      const changes = changesBetween(profileOnWire(profile), profileOnWire({ ...profile, ...wanted }))
      if (Object.keys(changes).length > 0) {
        await audit({ action: 'account.profile', subject: id, accountId: id, changes })
      }
    })
    return meOf(call.actor, call.nowMs, parts)
  },
})

const readMyLimits = route('get /api/me/limits', {
  summary: 'Read the limits of your account, and how they stand',
  description: 'For all of your keys together: set by an admin, by your plans or for all accounts.',
  who: 'account',
  problems: ['account_needed'],
  answer: limitsReport,
  handle: async (call, parts) => {
    const { account } = existing(await parts.store.accounts.findOwn(ownAccount(call.actor).id), 'account')
    return limitsReportOf(account, parts, call.nowMs)
  },
})

const readOwnOverview = route('get /api/overview', {
  summary: 'Read how your account stands',
  description:
    'Balance and pace, spending beside that of the same hours before, subscriptions, keys near a limit or their end, the newest requests and alerts. Sums are of whole hours, from the roll-ups: it costs the same for any past.',
  who: 'account',
  problems: ['account_needed'],
  query: overviewQuery,
  answer: overview,
  handle: (call, parts) => readOverview(call.actor, { nowMs: call.nowMs, ...call.query }, parts),
})

export const meRoutes: readonly ApiRoute[] = [readMe, changeMe, readMyLimits, readOwnOverview]

async function meOf(actor: Actor, nowMs: number, parts: ControlParts): Promise<Me> {
  const { id } = ownAccount(actor)
  const { accounts, budgets } = parts.store
  const [found, states] = await Promise.all([accounts.findOwn(id), budgets.states([balanceBudget(id)], nowMs)])
  const { account, profile, hasPassword } = existing(found, 'account')
  const [balance] = states
  return {
    id,
    version: versionOf(profileOnWire(profile)),
    email: account.email,
    name: profile.name,
    role: account.role,
    rights: [...rightsOf(account.role)],
    status: account.status,
    language: profile.language,
    theme: profile.theme,
    email_verified: profile.isEmailVerified,
    has_password: hasPassword,
    two_factor_enabled: profile.hasSecondFactor,
    signed_in_at: actor.kind === 'session' ? timeOnWire(actor.session.signedInAt) : null,
    balance: formatUsd(nanoUsd(balance === undefined ? 0n : balance.limit - balance.used)),
    held: formatUsd(balance?.held ?? nanoUsd(0n)),
    created_at: timeOnWire(account.createdAt),
    favourite_models: [...profile.favouriteModels],
    notifications: { mail: profile.wantsMail, can_mail: parts.instance.canMail },
  }
}

function profileOnWire(profile: AccountProfile) {
  const { name, language, theme, wantsMail, favouriteModels } = profile
  return { name, language, theme, notifications_mail: wantsMail, favourite_models: [...favouriteModels] }
}
