import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { CapturedRequestView } from '../../../../src/contract/captures.ts'
import { capturedRequestQuery } from '../../../api/captures.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { PATHS } from '../../../paths.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { DetailList } from '../../../ui/detail-list.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { prettyBody } from './pretty-body.ts'

type Message = CapturedRequestView['request']
type CapturedAnswer = CapturedRequestView['response']

/** What one captured request sent and got, with its attempts at providers. */
export function CapturedRequest(props: {
  readonly keyId: string
  readonly requestId: string
  onClose(): void
}): ReactNode {
  const t = useTexts('captures').request
  const found = useQuery(capturedRequestQuery(props.keyId, props.requestId))
  return (
    <Drawer isOpen onClose={props.onClose} title={t.title}>
      <QueryView
        query={found}
        skeleton={<SkeletonLines count={12} />}
        empty={{ is: (request) => request === null, shown: <EmptyState icon="clock" title={t.gone} /> }}
      >
        {(request) => (request === null ? null : <Parts request={request} />)}
      </QueryView>
    </Drawer>
  )
}

function Parts({ request }: { readonly request: CapturedRequestView }): ReactNode {
  const t = useTexts('captures').request
  const format = useFormat()
  const [shown, setShown] = useState('sent')
  const attempts = request.attempts.map((attempt, at) => ({
    value: `attempt-${at + 1}`,
    label: t.attempt(at + 1),
    attempt,
  }))
  const attempt = attempts.find(({ value }) => value === shown)?.attempt
  return (
    <div className="grid grid-cols-1 gap-4">
      <DetailList
        rows={[
          {
            label: t.path,
            value: <code className="font-mono text-sm break-all">{`${request.method} ${request.path}`}</code>,
          },
          { label: t.status, value: request.status ?? t.left },
          { label: t.time, value: format.second(request.created_at) },
          { label: t.took, value: format.duration(request.total_ms) },
          {
            label: t.record,
            value: (
              <Link
                to={PATHS.usage}
                search={{ record: request.request_id }}
                className="break-all text-accent hover:underline"
              >
                {request.request_id}
              </Link>
            ),
          },
        ]}
      />
      <div>
        <Tabs
          label={t.tabs}
          tabs={[
            { value: 'sent', label: t.sent },
            { value: 'got', label: t.got },
            ...attempts.map(({ value, label }) => ({ value, label })),
          ]}
          value={shown}
          onValue={setShown}
        >
          {shown === 'sent' && <MessageParts message={request.request} />}
          {shown === 'got' && <AnswerParts answer={request.response} none={t.left} />}
          {attempt !== undefined && <AttemptParts attempt={attempt} />}
        </Tabs>
      </div>
    </div>
  )
}

function AttemptParts({ attempt }: { readonly attempt: CapturedRequestView['attempts'][number] }): ReactNode {
  const t = useTexts('captures').request
  return (
    <div className="grid grid-cols-1 gap-5">
      <DetailList
        rows={[
          { label: t.upstream, value: attempt.upstream },
          { label: t.model, value: attempt.model },
          { label: t.path, value: <code className="font-mono text-sm break-all">{attempt.path}</code> },
        ]}
      />
      <section aria-label={t.providerRequest}>
        <h3 className="mb-2 font-medium">{t.providerRequest}</h3>
        <MessageParts message={attempt.request} purpose={t.providerRequest} />
      </section>
      <section aria-label={t.providerResponse}>
        <h3 className="mb-2 font-medium">{t.providerResponse}</h3>
        <AnswerParts answer={attempt.response} none={t.noAnswer} purpose={t.providerResponse} />
      </section>
    </div>
  )
}

function AnswerParts(props: {
  readonly answer: CapturedAnswer
  readonly none: string
  readonly purpose?: string
}): ReactNode {
  const t = useTexts('captures').request
  const { answer, none, purpose } = props
  if (answer === null) return <p className="text-ink-2">{none}</p>
  return (
    <div className="grid grid-cols-1 gap-3">
      <DetailList rows={[{ label: t.status, value: answer.status }]} />
      <MessageParts message={answer} {...(purpose === undefined ? {} : { purpose })} />
    </div>
  )
}

/** `purpose`: which message it is, where a tab shows two. */
function MessageParts({ message, purpose }: { readonly message: Message; readonly purpose?: string }): ReactNode {
  const t = useTexts('captures').request
  const format = useFormat()
  const { headers, body } = message
  const named = purpose === undefined ? {} : { purpose }
  return (
    <div className="grid grid-cols-1 gap-3">
      {headers.length > 0 && (
        <CodeBlock title={t.headers} text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')} {...named} />
      )}
      {body.is_cut && <Notice tone="warn">{t.cut(format.bytes(body.bytes))}</Notice>}
      {body.encoding === 'base64' && <Notice>{t.binary}</Notice>}
      {body.text === '' ? (
        <p className="text-ink-2">{t.empty}</p>
      ) : (
        <CodeBlock title={t.body} text={prettyBody(body)} {...named} />
      )}
    </div>
  )
}
