import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SystemView } from '../../../../src/contract/system.ts'
import { systemQuery } from '../../../api/system-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { DetailList } from '../../../ui/detail-list.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { BackupsSection } from './backups-section.tsx'
import { DatabaseSection } from './database-section.tsx'
import { FactsTable } from './facts-table.tsx'
import { RetentionSection } from './retention-section.tsx'

/** How the nodes, the database and the backups stand, and what can be done about the backups. */
export default function SystemPage(): ReactNode {
  const t = useTexts('system')
  const system = useQuery(systemQuery)
  return (
    <>
      <PageHeader title={t.title} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <QueryView
          query={system}
          skeleton={
            <Section title={t.backups.title}>
              <SkeletonLines />
            </Section>
          }
        >
          {(data) => (
            <>
              <BackupsSection backups={data.backups} engine={data.database.engine} />
              <DatabaseSection database={data.database} />
              <RetentionSection />
              <NodesSection system={data} />
            </>
          )}
        </QueryView>
      </div>
    </>
  )
}

/** Clocks that differ by less are in step. */
const SHOWN_MS = 1_000

/** Every node on the database, and the process that answers. */
function NodesSection({ system }: { readonly system: SystemView }): ReactNode {
  const t = useTexts('system')
  const format = useFormat()
  const { nodes, process } = system
  const { columns } = t.nodes
  return (
    <>
      <Section title={t.nodes.title} lead={t.nodes.lead(system.version, system.node_version)}>
        <FactsTable
          label={columns.name}
          heads={[columns.name, columns.state, columns.since, columns.load, columns.clock, columns.version]}
          rows={nodes.map((node) => ({
            key: node.id,
            cells: [
              <span key="name" className="[overflow-wrap:anywhere]">
                {t.nodes.name(node.host, String(node.process_id))}
              </span>,
              <span key="state" className="flex flex-wrap gap-1.5">
                <Badge tone={node.behind === 0 ? 'good' : 'warn'} hasDot>
                  {node.behind === 0 ? t.nodes.follows : t.nodes.behind(node.behind, format.number(node.behind))}
                </Badge>
                {node.here && <Badge>{t.nodes.here}</Badge>}
              </span>,
              <RelativeTime key="since" time={node.since} />,
              node.standing === null
                ? '–'
                : t.nodes.load(
                    node.standing.in_flight,
                    format.number(node.standing.in_flight),
                    format.percent(node.standing.busy),
                  ),
              <NodeClock key="clock" clock={node.standing?.clock} />,
              node.standing?.version ?? '–',
            ],
          }))}
        />
      </Section>
      <Section title={t.process.title} lead={t.process.lead}>
        {process.set_aside > 0 && (
          <div className="mb-4">
            <Notice tone="bad">{t.process.setAsideWarning}</Notice>
          </div>
        )}
        <DetailList
          rows={[
            { label: t.process.started, value: <RelativeTime time={process.started_at} /> },
            { label: t.process.threads, value: format.number(process.threads) },
            { label: t.process.memory, value: format.bytes(process.memory_bytes) },
            { label: t.process.inFlight, value: format.number(process.in_flight) },
            { label: t.process.settleQueue, value: format.number(process.settle_queue) },
            { label: t.process.setAside, value: format.number(process.set_aside) },
          ]}
        />
      </Section>
    </>
  )
}

/** How a node's clock compares with others, in words. */
function NodeClock(props: {
  readonly clock: NonNullable<SystemView['nodes'][number]['standing']>['clock'] | undefined
}): ReactNode {
  const t = useTexts('system').nodes.clock
  const format = useFormat()
  const { database = null, providers = null } = props.clock ?? {}
  if (database === null && providers === null) return <span className="text-ink-3">{t.unknown}</span>
  const off = [
    { of: 'database' as const, ms: database ?? 0 },
    { of: 'providers' as const, ms: providers ?? 0 },
  ].filter(({ ms }) => Math.abs(ms) >= SHOWN_MS)
  if (off.length === 0) return t.inStep
  return (
    <span className="flex flex-wrap gap-1.5">
      {off.map(({ of, ms }) => (
        <Badge key={of} tone="warn" hasDot>
          {t[of](format.duration(Math.abs(ms)), ms > 0)}
        </Badge>
      ))}
    </span>
  )
}
