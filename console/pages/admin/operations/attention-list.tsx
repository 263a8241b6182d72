import type { ReactNode } from 'react'
import type { AttentionItemView, AttentionView } from '../../../../src/contract/attention.ts'
import { operationsDictionary } from '../../../dictionaries/operations.ts'
import type { OperationsTexts } from '../../../dictionaries/operations-en.ts'
import { useFormat, type Format } from '../../../format/use-format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { HealLink } from './heal-link.tsx'
import { TodoItem } from './todo-item.tsx'

const BAD: readonly string[] = ['credential_held', 'model_failing', 'no_target', 'backup_old']

/** What needs an admin now, worst first. */
export function AttentionList({ attention }: { readonly attention: AttentionView }): ReactNode {
  const t = operationsDictionary.useTexts()
  const format = useFormat()
  const looked = t.looked(format.clock(Date.parse(attention.looked_at), Date.parse(attention.looked_at)))
  if (attention.data.length === 0) {
    return (
      <Section title={t.needs}>
        <EmptyState icon="check" title={t.nothing}>
          {looked}
        </EmptyState>
      </Section>
    )
  }
  return (
    <Section title={t.needs} lead={looked}>
      <ul>
        {inOneLine(attention.data).map((item) => (
          <TodoItem
            key={[item.kind, item.model, item.group, item.upstream?.id, item.credential, item.account?.id].join(' ')}
            tone={BAD.includes(item.kind) ? 'bad' : 'warn'}
            title={titleOf(item, t, format)}
            aside={<Signs item={item} t={t} />}
            action={<HealLink item={item} />}
          >
            {adviceOf(item, t)}
          </TodoItem>
        ))}
      </ul>
    </Section>
  )
}

/** A model that several groups have without a target is one thing to do. */
function inOneLine(items: readonly AttentionItemView[]): readonly AttentionItemView[] {
  const byModel = Map.groupBy(items, ({ kind, model }, index) => (kind === 'no_target' ? `model ${model}` : index))
  return [...byModel.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const all = [first, ...others]
    return {
      ...first,
      group: first.group === null ? null : all.map(({ group }) => group).join(', '),
      requests: first.requests === null ? null : all.reduce((sum, { requests }) => sum + (requests ?? 0), 0),
    }
  })
}

function Signs({ item, t }: { readonly item: AttentionItemView; readonly t: OperationsTexts }): ReactNode {
  return (
    <>
      {item.since !== null && (
        <span>
          {t.since} <RelativeTime time={item.since} />
        </span>
      )}
      {item.requests !== null && item.requests > 0 && <span>{t.hits(item.requests)}</span>}
    </>
  )
}

function titleOf(item: AttentionItemView, t: OperationsTexts, format: Format): string {
  const model = item.model ?? ''
  const group = item.group ?? ''
  const upstream = item.upstream?.name ?? ''
  const credential = item.credential ?? ''
  switch (item.kind) {
    case 'credential_held':
      return t.items.credential_held(credential, upstream)
    case 'spend_cap':
      return t.items.spend_cap([upstream, item.credential ?? item.model].filter((name) => name !== null).join(' · '), {
        used: moneyOf(item.used, format),
        limit: moneyOf(item.limit, format),
      })
    case 'no_target':
      return t.items.no_target(model, group)
    case 'below_cost':
      return t.items.below_cost(model, group, upstream)
    case 'unreached':
      return item.group === null ? t.items.never_reached(model, upstream) : t.items.unreached(model, group, upstream)
    case 'no_balance':
      return t.items.no_balance(item.account?.email ?? '')
    case 'backup_old':
      return item.since === null ? t.items.no_backup : t.items.backup_old
    case 'model_failing':
    case 'no_weight':
    case 'unpriced':
    case 'model_unknown':
      return t.items[item.kind](model)
  }
}

function moneyOf(amount: string | null, format: Format): string {
  return amount === null ? '–' : format.money(amount)
}

function adviceOf(item: AttentionItemView, t: OperationsTexts): string {
  const { because, nearest, kind } = item
  const why = because === 'credential' || because === 'no_credit' ? `${t.because[because]} ` : ''
  return `${why}${nearest === null ? '' : `${t.nearest(nearest)} `}${t.advice[kind]}`
}
