import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { systemQuery } from '../../../api/system-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/section.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { BackupsSection } from './backups-section.tsx'
import { DatabaseSection } from './database-section.tsx'
import { NodesSection } from './nodes-section.tsx'
import { RetentionSection } from './retention-section.tsx'

/** How the nodes, the database and the backups stand, and what can be done about the backups. */
export default function SystemPage(): ReactNode {
  const t = useTexts('system')
  const system = useQuery(systemQuery)
  return (
    <>
      <PageHeader title={t.title} lead={t.lead} />
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
