import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { UpstreamStatusView, UpstreamView } from '../../../../src/contract/upstreams.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { modelsQuery } from '../../../api/models.ts'
import { upstreamQuery, upstreamStatusesQuery } from '../../../api/upstream-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { type PageTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { useFlatSearch } from '../../../table/use-flat-search.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { DetailList } from '../../../ui/detail-list.tsx'
import { DownloadMenu } from '../../../ui/download-menu.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { PageSkeleton } from '../../../ui/skeleton.tsx'
import { BackLink } from '../../../ui/back-link.tsx'
import { AddCredentials, CredentialTable } from './credential-table.tsx'
import { CountedSince, FailedCount, FirstByte, LastFailure, StateBadge } from './last-failure.tsx'
import { ModelList } from './model-list.tsx'

const CompareModels = lazyPart(() => import('./compare-models.tsx'))
const DeleteUpstream = lazyPart(() => import('./delete-upstream.tsx'))
const EditUpstream = lazyPart(() => import('./edit-upstream.tsx'))
const MenuRows = lazyPart(() => import('../kit/menu-rows.tsx'))
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
        <div className="card divide-y divide-line">
          <Section isPart title={t.now}>
            <CountedSince time={statuses?.counted_since ?? null} />
            <div className="grid items-start gap-x-12 gap-y-2 lg:grid-cols-2">
              <DetailList
                rows={[
                  { label: t.columns.state, value: <StateBadge state={status?.state ?? null} /> },
                  ...(status === null || status.models.length === 0
                    ? []
                    : [{ label: t.pausedModels, value: <RestingModels models={status.models} /> }]),
                  { label: t.columns.protocol, value: upstream.protocol },
                  ...(upstream.dialect === null
                    ? []
                    : [{ label: t.editing.fields.dialect, value: cloudOf(upstream, t) }]),
                  { label: t.address, value: <span className="font-mono text-sm break-all">{upstream.base_url}</span> },
                ]}
              />
              <DetailList
                rows={[
                  { label: t.columns.load, value: limit === null ? load : t.ofLimit(load, format.number(limit)) },
                  { label: t.columns.failed, value: <FailedCount status={status} /> },
                  { label: t.columns.firstByte, value: <FirstByte times={status?.first_byte_ms ?? null} /> },
                  { label: t.columns.last, value: <LastFailure failure={status?.last_failure ?? null} /> },
                ]}
              />
            </div>
          </Section>
          <Section
            isPart
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
            <Section isPart title={t.shadow.title} lead={t.shadow.lead}>
              <ShadowRules upstream={upstream} />
            </Section>
          )}
          <Section
            isPart
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
      </div>
      {opened === 'test' && <TestMatrix upstream={upstream} status={status} onClose={() => setOpened(null)} />}
      {compare !== undefined && mayChange && <CompareModels upstream={upstream} onClose={() => open(flat)} />}
      {opened === 'add' && <AddCredentials upstream={upstream} onClose={() => setOpened(null)} />}
    </>
  )
}

/** The cloud that it is bought from, with what requests name of it. */
function cloudOf({ dialect, region, api_version: version }: UpstreamView, t: PageTexts['upstreams']): string {
  const name = dialect === null ? t.dialects.none : t.dialects[dialect]
  return [name, ...(region === null ? [] : [region]), ...(version === null ? [] : [version])].join(' · ')
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
          {ids.has(name) ? (
            <Link
              to={ADMIN_PATHS.price}
              params={{ modelId: ids.get(name) ?? '' }}
              className="inline-flex max-w-full min-h-6 items-center hover:underline touch:min-h-11"
            >
              <Badge tone="accent">{name}</Badge>
            </Link>
          ) : (
            <Badge>{name}</Badge>
          )}
        </li>
      ))}
    </ul>
  )
}

type Rule = UpstreamView['shadow_rules'][number]

/** The rules that are not enforced, with how often each would have kept a request away. */
function ShadowRules({ upstream }: { readonly upstream: UpstreamView }): ReactNode {
  return (
    <ul>
      {upstream.shadow_rules.map((rule) => (
        <RuleRow
          key={[rule.rule, rule.credential, rule.model, rule.upstream_model].join('\n')}
          rule={rule}
          caps={upstream.spend_caps}
        />
      ))}
    </ul>
  )
}

function RuleRow({ rule, caps }: { readonly rule: Rule; readonly caps: UpstreamView['spend_caps'] }): ReactNode {
  const t = useTexts('upstreams')
  const format = useFormat()
  const { credential, model, upstream_model: at, refusals, last_refusal_at: last } = rule
  const isHere = (cap: (typeof caps)[number]) => cap.model === model && cap.upstream_model === at
  const cap = rule.rule === 'spend_per_day' && credential === null ? caps.find(isHere) : undefined
  return (
    <li className="border-t border-line py-2.5 first:border-t-0 first:pt-0 last:pb-0">
      <p className="[overflow-wrap:anywhere]">
        <span className="font-medium">{t.shadow.rules[rule.rule]}</span> · {placeOf(rule, t.shadow)}
      </p>
      <p className="text-sm text-ink-2">
        {cap !== undefined &&
          `${t.columns.spent} ${t.ofLimit(format.money(cap.spent_today), format.money(cap.spend_per_day))} · `}
        {t.shadow.refusals(refusals, format.number(refusals))}
        {last !== null && (
          <>
            {' · '}
            <RelativeTime time={last} text={t.shadow.last} />
          </>
        )}
      </p>
    </li>
  )
}

function placeOf({ credential, model, upstream_model: at }: Rule, t: PageTexts['upstreams']['shadow']): string {
  if (credential !== null) return t.credential(credential)
  return model === null ? t.upstream : t.model(model, at ?? model)
}

/** Editing an upstream, and deleting it. */
function UpstreamActions({ upstream }: { readonly upstream: UpstreamView }): ReactNode {
  const t = useTexts('upstreams')
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null)
  return (
    <>
      <Button onClick={() => setAsked('edit')}>{t.editing.action}</Button>
      <Menu onNear={MenuRows.load} trigger={<IconButton icon="more" label={t.actionsOf(upstream.name)} />}>
        <MenuRows
          rows={[{ text: t.deleting.action, icon: 'trash', isDangerous: true, onSelect: () => setAsked('delete') }]}
        />
      </Menu>
      {asked === 'edit' && <EditUpstream upstream={upstream} onClose={() => setAsked(null)} />}
      {asked === 'delete' && <DeleteUpstream upstream={upstream} onClose={() => setAsked(null)} />}
    </>
  )
}
