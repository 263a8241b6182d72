import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { usageRecordQuery } from '../../api/usage.ts'
import { usageDictionary } from '../../dictionaries/usage.ts'
import { useFormat } from '../../format/use-format.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { RecordAttempts } from './record-attempts.tsx'
import { RecordDetails } from './record-details.tsx'
import { RecordFault } from './record-fault.tsx'
import { RecordPrice } from './record-price.tsx'

/**
 * One request, explained: what went wrong, how its cost came about, who paid, what was tried, how long it took. `known`:
 * its record, where the page has it already; else it is fetched by its id.
 */
export default function RecordDrawer(props: {
  readonly id: string
  readonly known: UsageRecordView | undefined
  onClose(): void
}): ReactNode {
  const t = usageDictionary.useTexts()
  const format = useFormat()
  const { id, known } = props
  const fetched = useQuery({ ...usageRecordQuery(id), enabled: known === undefined })
  const record = known ?? fetched.data
  return (
    <Drawer
      isOpen
      onClose={props.onClose}
      title={record?.model ?? t.record.title}
      description={record ? format.second(record.created_at) : undefined}
      foot={<LinkToRecord id={id} />}
    >
      {record ? (
        <div className="grid gap-6">
          <RecordFault record={record} />
          <RecordPrice record={record} />
          <RecordAttempts record={record} />
          <RecordDetails record={record} />
        </div>
      ) : fetched.error !== null ? (
        <ErrorState error={fetched.error} onRetry={() => void fetched.refetch()} />
      ) : record === null ? (
        <EmptyState icon="search" title={t.record.notFound}>
          {t.record.notFoundText}
        </EmptyState>
      ) : (
        <SkeletonLines count={9} />
      )}
    </Drawer>
  )
}

function LinkToRecord({ id }: { readonly id: string }): ReactNode {
  const t = usageDictionary.useTexts()
  const link = (): string => `${location.origin}${location.pathname}?record=${encodeURIComponent(id)}`
  return (
    <>
      <CopyButton text={link} what={t.record.copyLink} label={t.record.copyLink} />
      <CopyButton text={id} what={t.record.copyId} label={t.record.copyId} />
    </>
  )
}
