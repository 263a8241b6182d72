import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { codeBatchesQuery, type CodeBatch } from '../../../api/plan-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/section.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { useNow } from '../../../ui/use-now.ts'

/** Redeem codes by what was created at once, with how many of them were used. */
export function CodeBatches({ onNew }: { onNew(): void }): ReactNode {
  const t = useTexts('plans').codes
  const batches = useQuery(codeBatchesQuery)
  const mayCreate = useMay('books')
  return (
    <Section
      title={t.title}
      lead={t.lead}
      actions={
        <>
          <Link to={ADMIN_PATHS.codes} className={buttonClass('secondary')}>
            {t.all}
          </Link>
          {mayCreate && (
            <Button icon="plus" onClick={onNew}>
              {t.new}
            </Button>
          )}
        </>
      }
    >
      <QueryView query={batches} skeleton={<SkeletonLines />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-ink-2">{t.none}</p>
          ) : (
            <ul>
              {data.map((batch) => (
                <Batch key={`${batch.created_at} ${batch.note} ${batch.amount} ${batch.plan}`} batch={batch} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Section>
  )
}

function Batch({ batch }: { readonly batch: CodeBatch }): ReactNode {
  const t = useTexts('plans').codes
  const format = useFormat()
  const nowMs = useNow()
  const { amount, plan, made, used, expires_at: expires } = batch
  const what = amount === null ? t.plan(plan ?? '–') : t.balance(format.money(amount))
  const isOver = expires !== null && Date.parse(expires) <= nowMs
  return (
    <li className="grid gap-x-6 gap-y-1 border-t border-line py-2.5 first:border-t-0 first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_8rem_15rem]">
      <span className="min-w-0">
        <Link
          to={ADMIN_PATHS.codes}
          search={{ batch: batch.created_at }}
          aria-label={t.show(batch.note === '' ? what : `${what}, ${batch.note}`)}
          className="inline-flex min-h-6 touch:min-h-11 items-center font-medium [overflow-wrap:anywhere] text-accent hover:underline"
        >
          {what}
        </Link>
        <span className="block text-sm text-ink-3 [overflow-wrap:anywhere]">{t.note(batch.note)}</span>
      </span>
      <span>{t.used(format.number(used), format.number(made))}</span>
      <span className="text-sm text-ink-3 sm:text-right">
        <span className="block">{t.made(format.time(batch.created_at))}</span>
        {isOver ? <Badge tone="warn">{t.expired}</Badge> : expires === null ? t.never : t.expires(format.time(expires))}
      </span>
    </li>
  )
}
