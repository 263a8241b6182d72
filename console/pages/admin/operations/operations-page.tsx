import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { attentionQuery } from '../../../api/attention.ts'
import { operationsDictionary } from '../../../dictionaries/operations.ts'
import { Button } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/section.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { AttentionList } from './attention-list.tsx'
import { HealthStrips } from './health-strips.tsx'
import { SetupList } from './setup-list.tsx'
import { SnoozedList } from './snoozed-list.tsx'
import { WeekTiles } from './week-tiles.tsx'

const MarginsMenu = lazyPart(() => import('./margins-menu.tsx'))

/** What needs an admin, and how the week went: a list of things to do, gone when they are done. */
export default function OperationsPage(): ReactNode {
  const t = operationsDictionary.useTexts()
  const attention = useQuery(attentionQuery)
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          <Menu onNear={MarginsMenu.load} trigger={<Button icon="download">{t.margins.action}</Button>}>
            <MarginsMenu />
          </Menu>
        }
      />
      <div className="grid gap-4">
        <QueryView
          query={attention}
          skeleton={
            <Section title={t.needs}>
              <SkeletonLines />
            </Section>
          }
        >
          {(data) => (
            <>
              {Object.values(data.setup).includes(false) && <SetupList setup={data.setup} />}
              <AttentionList attention={data} />
              <SnoozedList snoozed={data.snoozed} />
              <HealthStrips health={data.health} />
              <WeekTiles week={data.week} />
            </>
          )}
        </QueryView>
      </div>
    </>
  )
}
