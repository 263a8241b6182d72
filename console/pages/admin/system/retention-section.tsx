import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RetentionView } from '../../../../src/contract/retention.ts'
import { retentionQuery } from '../../../api/system-admin.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { FactsTable } from './facts-table.tsx'

/** How long records are kept, what goes next, what the last run did, and the archives. */
export function RetentionSection(): ReactNode {
  const t = useTexts('system').retention
  const retention = useQuery(retentionQuery)
  return (
    <Section title={t.title} lead={t.lead}>
      <QueryView query={retention} skeleton={<SkeletonLines />}>
        {(data) => (
          <div className="grid gap-3">
            <Periods kinds={data.kinds} sessionsDays={data.keep_sessions_days} />
            <LastRun run={data.run} />
            <Archives of={data} />
          </div>
        )}
      </QueryView>
    </Section>
  )
}

function Periods(props: { readonly kinds: RetentionView['kinds']; readonly sessionsDays: number }): ReactNode {
  const t = useTexts('system').retention
  const format = useFormat()
  const days = (count: number | null): string => (count === null ? t.forEver : t.days(count, format.number(count)))
  const variable = (name: string): ReactNode => (
    <span key="variable" className="font-mono whitespace-nowrap">
      {name}
    </span>
  )
  return (
    <FactsTable
      label={t.periods}
      heads={[t.columns.kind, t.columns.keep, t.columns.next, t.columns.variable]}
      rows={[
        ...props.kinds.map(({ kind, keep_days: keep, before, due, variable: name }) => ({
          key: kind,
          cells: [
            <NoBreak key="kind">{t.kinds[kind]}</NoBreak>,
            days(keep),
            before === null || due === null ? '–' : t.due(format.number(due), format.date(before)),
            variable(name),
          ],
        })),
        {
          key: 'sessions',
          cells: [
            <NoBreak key="kind">{t.kinds.sessions}</NoBreak>,
            days(props.sessionsDays),
            '–',
            variable('TOLLGATE_KEEP_SESSIONS_DAYS'),
          ],
        },
      ]}
    />
  )
}

/** The table scrolls where it is wider than the window. */
function NoBreak({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className="whitespace-nowrap">{children}</span>
}

function LastRun({ run }: { readonly run: RetentionView['run'] }): ReactNode {
  const t = useTexts('system').retention
  const { sentences } = useSharedTexts()
  const format = useFormat()
  if (run === null) return null
  const { last } = run
  const deletedIn = (deleted: NonNullable<typeof last>['deleted']): string => {
    const went = (Object.keys(t.kinds) as (keyof typeof deleted)[]).filter((kind) => deleted[kind] > 0)
    return went.length === 0
      ? t.nothing
      : went.map((kind) => `${t.kinds[kind]} ${format.number(deleted[kind])}`).join(' · ')
  }
  if (last?.failure != null) return <Notice tone="bad">{t.failed(last.failure)}</Notice>
  return (
    <>
      {last !== null && last.unusable.length > 0 && (
        <Notice tone="bad">{t.unusable(format.list(last.unusable))}</Notice>
      )}
      <p className="max-w-[65ch] text-sm text-ink-2">
        {sentences([
          last === null
            ? t.noRun
            : t.last(format.time(last.at), format.duration(last.took_ms), deletedIn(last.deleted)),
          run.running ? t.running : t.next(format.time(run.next_at)),
        ])}
      </p>
    </>
  )
}

function Archives({ of }: { readonly of: RetentionView }): ReactNode {
  const t = useTexts('system').retention
  const format = useFormat()
  const { files, records, bytes } = of.archived
  if (files === 0) return <p className="text-sm text-ink-2">{t.noArchives(of.archive_directory)}</p>
  return (
    <>
      <p className="max-w-[65ch] text-sm [overflow-wrap:anywhere] text-ink-2">
        {t.archived(
          { files: format.number(files), records: format.number(records), size: format.bytes(bytes) },
          of.archive_directory,
        )}
      </p>
      <FactsTable
        label={t.archives}
        heads={[t.columns.archive, t.columns.written, t.columns.records, t.columns.size]}
        numbers={[t.columns.records, t.columns.size]}
        rows={of.archives.map(({ name, written_at: writtenAt, records: count, bytes: size, finished }) => ({
          key: name,
          cells: [
            <span key="name" className="font-mono whitespace-nowrap">
              {name} {!finished && <Badge tone="warn">{t.unfinished}</Badge>}
            </span>,
            <RelativeTime key="written" time={writtenAt} />,
            format.number(count),
            format.bytes(size),
          ],
        }))}
      />
    </>
  )
}
