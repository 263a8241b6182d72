import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { KeyReport } from '../../../src/contract/key-report.ts'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { keyReportQuery } from '../../api/key-report.ts'
import { useMay } from '../../api/use-may.ts'
import { loadTexts, useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Button } from '../../ui/button.tsx'
import { DetailList } from '../../ui/detail-list.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFirstInput } from '../../ui/use-first-input.ts'
import { useNow } from '../../ui/use-now.ts'
import { KeyActions } from '../keys/key-actions.tsx'
import { ExpiryCell, GroupCell, StatusCell } from '../keys/key-cells.tsx'
import { useKeyStep } from '../keys/use-key-step.ts'
import { RequestLines } from '../usage/request-lines.tsx'
import { KeyHistory } from './key-history.tsx'
import { KeyLimits } from './key-limits.tsx'
import { KeyTest } from './key-test.tsx'
import { KeyUse } from './key-use.tsx'

const KeyCapture = lazyPart(
  () => import('./capture/key-capture.tsx'),
  <Skeleton className="h-32 w-full rounded-lg" />,
  {
    isForFew: true,
  },
)
const KeyStepDialog = lazyPart(() => import('../keys/key-step-dialog.tsx'))

/** Everything about one key: how full its limits are, what it did lately, how it is set up, and what was done with it. */
export default function KeyPage(): ReactNode {
  const t = useTexts('key').detail
  const { keyId = '' } = useParams({ strict: false })
  const report = useQuery(keyReportQuery(keyId))
  return (
    <>
      <BackLink to={PATHS.keys}>{t.back}</BackLink>
      <QueryView
        query={report}
        skeleton={<KeySkeleton />}
        empty={{ is: (data) => data === null, shown: <EmptyState icon="key" title={t.missing} /> }}
      >
        {(data) => (data === null ? null : <KeyParts report={data} />)}
      </QueryView>
    </>
  )
}

function KeyParts({ report }: { readonly report: KeyReport }): ReactNode {
  const texts = useTexts('keys')
  const t = useTexts('key').detail
  const { key } = report
  const { step, open, close } = useKeyStep()
  const format = useFormat()
  const nowMs = useNow()
  const isAdmin = useMay('admin')
  const navigate = useNavigate()
  useFirstInput(() => {
    KeyStepDialog.load()
    void loadTexts('setup')
    void loadTexts('faults')
  })
  const leave = (): void => {
    close()
    // A key that was deleted has no page any more.
    if (step?.kind === 'delete') void navigate({ to: PATHS.keys })
  }
  return (
    <>
      <PageHeader
        title={key.name}
        lead={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <code className="font-mono text-sm">
              {key.secret_start}…{key.secret_end}
            </code>
            <StatusCell apiKey={key} />
          </span>
        }
        actions={<KeyActions apiKey={key} onStep={open} />}
        hasIconsOnly
      />
      {key.captured_until !== null && Date.parse(key.captured_until) > nowMs && (
        <div className="mb-4">
          <Notice tone="warn" title={t.captured(format.clock(Date.parse(key.captured_until), nowMs))}>
            {t.capturedWhat}
          </Notice>
        </div>
      )}
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:items-start">
        <div className="grid grid-cols-1 gap-4">
          <KeyUse report={report} />
          <KeyRequests report={report} />
          {isAdmin && <KeyCapture keyId={key.id} name={key.name} />}
        </div>
        <div className="grid grid-cols-1 gap-4">
          <KeyLimits report={report} isAdmin={isAdmin} />
          <Section
            title={t.setUp}
            actions={
              <Button icon="terminal" onClick={() => open({ kind: 'use', apiKey: key })}>
                {texts.use}
              </Button>
            }
          />
          <KeyTest keyId={key.id} />
          <KeyFacts apiKey={key} />
          <KeyHistory history={report.history} />
        </div>
      </div>
      {step !== null && <KeyStepDialog step={step} onClose={leave} />}
    </>
  )
}

function KeySkeleton(): ReactNode {
  return (
    <div className="grid grid-cols-1 gap-4">
      <Skeleton className="h-14 w-full max-w-md" />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Skeleton className="h-80 w-full rounded-lg" />
        <Skeleton className="h-80 w-full rounded-lg" />
      </div>
    </div>
  )
}

/** What is set on a key, beside its limits. */
function KeyFacts({ apiKey }: { readonly apiKey: ApiKeyView }): ReactNode {
  const t = useTexts('keys')
  const detail = useTexts('key').detail
  const format = useFormat()
  const listed = (all: readonly string[], none: string): string => (all.length === 0 ? none : format.list(all))
  return (
    <Section title={detail.facts}>
      <DetailList
        rows={[
          { label: t.columns.group, value: <GroupCell apiKey={apiKey} /> },
          ...(apiKey.fallback_groups.length === 0
            ? []
            : [{ label: t.form.fallback, value: format.list(apiKey.fallback_groups) }]),
          { label: t.columns.models, value: listed(apiKey.allowed_models, t.allModels) },
          { label: t.form.ips, value: listed(apiKey.allowed_ips, detail.allAddresses) },
          ...(apiKey.tags.length === 0 ? [] : [{ label: t.columns.tags, value: format.list(apiKey.tags) }]),
          { label: t.columns.expires, value: <ExpiryCell apiKey={apiKey} /> },
          { label: t.columns.created, value: format.time(apiKey.created_at) },
        ]}
      />
    </Section>
  )
}

/** What a key asked for lately, and what of it failed. */
function KeyRequests({ report }: { readonly report: KeyReport }): ReactNode {
  const t = useTexts('key').detail
  const { key, requests, failed } = report
  const toUsage = (name: string, search: Readonly<Record<string, string>>): ReactNode => (
    <Link to={PATHS.usage} search={search} className="text-sm text-accent hover:underline">
      {name}
    </Link>
  )
  const toFailed = toUsage(t.allFailed, { key: key.id, fault: 'any' })
  return (
    <>
      <Section title={t.requests} actions={toUsage(t.allRequests, { key: key.id })}>
        {requests.length === 0 ? (
          <p className="text-ink-2">{t.noRequests}</p>
        ) : (
          <RequestLines requests={requests} isOfOneKey />
        )}
      </Section>
      <Section title={t.failed} {...(failed.length === 0 ? {} : { actions: toFailed })}>
        {failed.length === 0 ? (
          <p className="text-ink-2">{t.noFailed}</p>
        ) : (
          <RequestLines requests={failed} isOfOneKey />
        )}
      </Section>
    </>
  )
}
