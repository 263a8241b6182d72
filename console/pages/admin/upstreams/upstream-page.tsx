import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import { ADMIN_PATHS } from '../../../admin-paths.ts'
import { upstreamQuery, upstreamStatusesQuery } from '../../../api/upstream-admin.ts'
import { upstreamsDictionary } from '../../../dictionaries/upstreams.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { DetailList } from '../../../ui/detail-list.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/section.tsx'
import { PageSkeleton } from '../../../ui/skeleton.tsx'
import { CredentialTable } from './credential-table.tsx'
import { FailedCount, LastFailure } from './last-failure.tsx'
import { ShadowRules } from './shadow-rules.tsx'
import { StateBadge } from './state-badge.tsx'

/** One upstream: how it stands, its credentials, what is served from it. */
export function UpstreamPage(): ReactNode {
  const t = upstreamsDictionary.useTexts()
  const { upstreamId = '' } = useParams({ strict: false })
  const upstream = useQuery(upstreamQuery(upstreamId))
  return (
    <>
      <Link
        to={ADMIN_PATHS.upstreams}
        className="mb-2 inline-flex min-h-6 items-center gap-1 text-sm text-accent hover:underline"
      >
        <Icon name="left" /> {t.back}
      </Link>
      <QueryView query={upstream} skeleton={<PageSkeleton />}>
        {(data) => <UpstreamParts upstream={data} />}
      </QueryView>
    </>
  )
}

function UpstreamParts({ upstream }: { readonly upstream: UpstreamView }): ReactNode {
  const t = upstreamsDictionary.useTexts()
  const format = useFormat()
  const { data: statuses } = useQuery(upstreamStatusesQuery)
  const status = statuses?.data.find(({ id }) => id === upstream.id) ?? null
  const { max_concurrency: limit } = upstream
  const load = status === null ? '–' : format.number(status.in_flight)
  return (
    <>
      <PageHeader title={upstream.name} />
      <div className="grid gap-4">
        {upstream.managed && <Notice>{t.managed}</Notice>}
        <Section title={t.now}>
          <DetailList
            rows={[
              { label: t.columns.state, value: <StateBadge state={status?.state ?? null} /> },
              { label: t.columns.protocol, value: upstream.protocol },
              { label: t.address, value: <span className="font-mono text-sm break-all">{upstream.base_url}</span> },
              { label: t.columns.load, value: limit === null ? load : t.ofLimit(load, format.number(limit)) },
              { label: t.columns.failed, value: <FailedCount count={status?.failed ?? null} /> },
              { label: t.columns.last, value: <LastFailure failure={status?.last_failure ?? null} /> },
            ]}
          />
        </Section>
        <Section title={t.credentials} lead={upstream.credentials.length === 0 ? t.noCredentials : t.credentialsLead}>
          {upstream.credentials.length > 0 && <CredentialTable upstream={upstream} status={status} />}
        </Section>
        {upstream.shadow_rules.length > 0 && (
          <Section title={t.shadow.title} lead={t.shadow.lead}>
            <ShadowRules upstream={upstream} />
          </Section>
        )}
        <Section title={t.servedModels}>
          {upstream.models.length === 0 ? (
            <p className="text-ink-2">{t.noModels}</p>
          ) : (
            <ul className="flex flex-wrap gap-1.5">
              {upstream.models.map((name) => (
                <li key={name}>
                  <Badge>{name}</Badge>
                </li>
              ))}
            </ul>
          )}
        </Section>
      </div>
    </>
  )
}
