import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { UpstreamStatusView, UpstreamView } from '../../../../src/contract/upstreams.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { modelsQuery } from '../../../api/models.ts'
import { upstreamQuery, upstreamStatusesQuery } from '../../../api/upstream-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { useFlatSearch } from '../../../table/use-flat-search.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { DetailList } from '../../../ui/detail-list.tsx'
import { DownloadMenu } from '../../../ui/download-menu.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/section.tsx'
import { PageSkeleton } from '../../../ui/skeleton.tsx'
import { BackLink } from '../../../ui/back-link.tsx'
import { CredentialTable } from './credential-table.tsx'
import { CountedSince, FailedCount, FirstByte, LastFailure } from './last-failure.tsx'
import { ModelList } from './model-list.tsx'
import { ShadowRules } from './shadow-rules.tsx'
import { StateBadge } from './state-badge.tsx'
import { UpstreamActions } from './upstream-actions.tsx'

const CompareModels = lazyPart(() => import('./compare-models.tsx'))
const AddCredentials = lazyPart(() => import('./add-credentials.tsx'))
const TestMatrix = lazyPart(() => import('./test-matrix.tsx'))

/** One upstream: how it stands, its credentials, what is served from it. */
export default function UpstreamPage(): ReactNode {
  const t = useTexts('upstreams')
  const { upstreamId = '' } = useParams({ strict: false })
  const upstream = useQuery(upstreamQuery(upstreamId))
  return (
    <>
      <BackLink to={ADMIN_PATHS.upstreams}>{t.back}</BackLink>
      <QueryView query={upstream} skeleton={<PageSkeleton />}>
        {(data) => <UpstreamParts upstream={data} />}
      </QueryView>
    </>
  )
}

function UpstreamParts({ upstream }: { readonly upstream: UpstreamView }): ReactNode {
  const t = useTexts('upstreams')
  const format = useFormat()
  const mayChange = useMay('catalogue')
  const [opened, setOpened] = useState<'test' | 'add' | null>(null)
  const [{ compare, ...flat }, open] = useFlatSearch()
  const { data: statuses } = useQuery(upstreamStatusesQuery)
  const status = statuses?.data.find(({ id }) => id === upstream.id) ?? null
  const { max_concurrency: limit } = upstream
  const load = status === null ? '–' : format.number(status.in_flight)
  return (
    <>
      <PageHeader
        title={upstream.name}
        actions={mayChange && !upstream.managed && <UpstreamActions upstream={upstream} />}
      />
      <div className="grid gap-4">
        {upstream.managed && <Notice>{t.managed}</Notice>}
        <Section title={t.now}>
          <CountedSince time={statuses?.counted_since ?? null} />
          <DetailList
            rows={[
              { label: t.columns.state, value: <StateBadge state={status?.state ?? null} /> },
              ...(status === null || status.models.length === 0
                ? []
                : [{ label: t.pausedModels, value: <RestingModels models={status.models} /> }]),
              { label: t.columns.protocol, value: upstream.protocol },
              { label: t.address, value: <span className="font-mono text-sm break-all">{upstream.base_url}</span> },
              { label: t.columns.load, value: limit === null ? load : t.ofLimit(load, format.number(limit)) },
              { label: t.columns.failed, value: <FailedCount status={status} /> },
              { label: t.columns.firstByte, value: <FirstByte times={status?.first_byte_ms ?? null} /> },
              { label: t.columns.last, value: <LastFailure failure={status?.last_failure ?? null} /> },
            ]}
          />
        </Section>
        <Section
          title={t.credentials}
          lead={upstream.credentials.length === 0 ? t.noCredentials : t.credentialsLead}
          actions={
            <>
              {upstream.credentials.length > 0 && (
                <DownloadMenu path={`/api/upstreams/${encodeURIComponent(upstream.id)}/credentials`} isQuiet />
              )}
              {mayChange && !upstream.managed && <Button onClick={() => setOpened('add')}>{t.pooling.action}</Button>}
              {mayChange && upstream.models.length > 0 && (
                <Button onClick={() => setOpened('test')}>{t.matrix.action}</Button>
              )}
            </>
          }
        >
          {upstream.credentials.length > 0 && <CredentialTable upstream={upstream} status={status} />}
        </Section>
        {upstream.shadow_rules.length > 0 && (
          <Section title={t.shadow.title} lead={t.shadow.lead}>
            <ShadowRules upstream={upstream} />
          </Section>
        )}
        <Section
          title={t.servedModels}
          actions={
            mayChange && <Button onClick={() => open({ ...flat, compare: 'models' })}>{t.comparing.action}</Button>
          }
        >
          <ModelList list={status?.model_list ?? null} />
          {upstream.models.length === 0 ? (
            <p className="text-ink-2">{t.noModels}</p>
          ) : (
            <ServedModels names={upstream.models} />
          )}
        </Section>
      </div>
      {opened === 'test' && <TestMatrix upstream={upstream} status={status} onClose={() => setOpened(null)} />}
      {compare !== undefined && mayChange && <CompareModels upstream={upstream} onClose={() => open(flat)} />}
      {opened === 'add' && <AddCredentials upstream={upstream} onClose={() => setOpened(null)} />}
    </>
  )
}

/** Models that do not stand well there with any credential, each with why and until when. */
function RestingModels({ models }: { readonly models: UpstreamStatusView['models'] }): ReactNode {
  const t = useTexts('upstreams')
  const format = useFormat()
  return (
    <ul className="grid gap-1">
      {models.map(({ model, state, reason, why, until, count }) => (
        <li key={model} className="flex flex-wrap items-center gap-x-2">
          <span className="[overflow-wrap:anywhere]">{model}</span>
          <StateBadge state={state} />
          <span className="text-sm text-ink-3">
            {[
              ...(reason === null ? [] : [t.reasons[reason]]),
              ...(why === null ? [] : [t.obstacle(why, null)]),
              ...(until === null ? [] : [t.until(format.time(until))]),
              ...(count > 1 ? [t.inARow(format.number(count))] : []),
            ].join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** What an upstream serves, each with the way to its price and targets; bare names until these are known. */
function ServedModels({ names }: { readonly names: readonly string[] }): ReactNode {
  const { data: models } = useQuery(modelsQuery)
  const ids = new Map(models?.map(({ name, id }) => [name, id]))
  return (
    <ul className="flex flex-wrap gap-1.5">
      {names.map((name) => (
        <li key={name} className="max-w-full">
          <ServedModel name={name} id={ids.get(name)} />
        </li>
      ))}
    </ul>
  )
}

function ServedModel({ name, id }: { readonly name: string; readonly id: string | undefined }): ReactNode {
  if (id === undefined) return <Badge>{name}</Badge>
  return (
    <Link
      to={ADMIN_PATHS.price}
      params={{ modelId: id }}
      className="inline-flex max-w-full min-h-6 items-center hover:underline touch:min-h-11"
    >
      <Badge tone="accent">{name}</Badge>
    </Link>
  )
}
