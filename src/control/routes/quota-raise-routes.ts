import type { ApiKey } from '../../access/api-key.ts'
import { type AuditNote, changesBetween } from '../../access/audit.ts'
import { afterRaise } from '../../access/quota-raise.ts'
import { apiKey, keyRaiseQuota } from '../../contract/keys.ts'
import { parseUsd } from '../../core/money.ts'
import { existing, fieldProblem, Problem } from '../problem.ts'
import { type ApiCall, type ApiRoute, routesOf } from '../api/route.ts'
import { readTime } from '../api/wire-forms.ts'
import { ownedKey, requireUnmanaged } from '../keys/owned-key.ts'
import type { ControlParts } from '../parts.ts'
import { auditedKey, readKeyView } from '../views/key-view.ts'
import { actorId } from '../who/actor.ts'

const route = routesOf('Keys')

const LONGEST_RAISE_MS = 366 * 86_400_000

const raise = route('post /api/keys/{id}/raise-quota', {
  summary: 'Raise the quota of an API key for a while',
  description:
    'At `ends_at` the quota from before holds again, within seconds and on every node; what was used by then stays used. A second raise keeps the quota from before the first. Any other change of `quota_limit` ends the raise, and stays.',
  who: 'admin',
  problems: ['managed', 'conflict'],
  body: keyRaiseQuota,
  answer: apiKey,
  example: { body: { limit: '100', ends_at: '2027-01-31T18:00:00Z' } },
  async handle(call, parts) {
    const endsAt = readTime(call.body.ends_at)
    if (endsAt <= call.nowMs) throw fieldProblem('ends_at', 'ends_at must be in the future.')
    if (endsAt > call.nowMs + LONGEST_RAISE_MS) {
      throw fieldProblem('ends_at', 'ends_at must be within a year: set quota_limit itself.')
    }
    const to = parseUsd(call.body.limit)
    return editQuota(call, parts, {
      action: 'key.raise_quota',
      edit(before) {
        const { quotaLimit, quotaRaise } = before
        if (quotaLimit === null) throw new Problem('conflict', 'This key has no quota, so there is nothing to raise.')
        // What is raised already may keep its limit and get another end.
        if (to < quotaLimit || (to === quotaLimit && quotaRaise === undefined)) {
          throw fieldProblem('limit', 'limit must be more than the quota that the key has.')
        }
        const from = quotaRaise?.from ?? quotaLimit
        return { ...before, quotaLimit: to, quotaRaise: { from, to, endsAt, by: actorId(call.actor) } }
      },
    })
  },
})

const end = route('post /api/keys/{id}/end-raise', {
  summary: 'End the raise of an API key’s quota',
  description:
    'The quota from before holds again on every node when the call has returned. What was used by then stays used.',
  who: 'admin',
  problems: ['managed', 'conflict'],
  answer: apiKey,
  handle: (call, parts) =>
    editQuota(call, parts, {
      action: 'key.end_raise',
      edit(before) {
        if (before.quotaRaise === undefined) throw new Problem('conflict', 'The quota of this key is not raised.')
        return afterRaise(before)
      },
    }),
})

async function editQuota(
  call: Pick<ApiCall<'account'>, 'actor' | 'reach' | 'change' | 'nowMs' | 'reachNodes'> & {
    readonly params: { readonly id: string }
  },
  parts: ControlParts,
  { action, edit }: { readonly action: AuditNote['action']; readonly edit: (before: ApiKey) => ApiKey },
) {
  const { id, accountId } = requireUnmanaged(await ownedKey(call, parts))
  const groups = await parts.store.groups.groups()
  const edited = await call.change(async ({ keys }, audit) => {
    const answer = existing(await keys.edit(id, (before) => edit(requireUnmanaged(before)), call.nowMs), 'API key')
    const changes = changesBetween(auditedKey(answer.before, groups), auditedKey(answer.after, groups))
    if (answer.seq !== null) await audit({ action, subject: id, accountId, changes })
    return answer
  })
  await call.reachNodes(edited)
  return readKeyView(edited.after, parts.store, call.nowMs)
}

export const quotaRaiseRoutes: readonly ApiRoute[] = [raise, end]
