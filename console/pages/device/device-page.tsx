import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiProblem } from '../../api/api-problem.ts'
import { deviceRequestQuery } from '../../api/devices.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import type { AskedCode } from '../../forms/kept-code.ts'
import { PATHS } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useAskedCode } from './asked-code.ts'
import { CodeEntry } from './code-entry.tsx'
import { type Decision, DeviceRequest } from './device-request.tsx'

/** Signs in a program that shows a code: who asks is shown, and its person approves it or not. Nothing is approved by opening a link. */
export default function DevicePage(): ReactNode {
  const t = useTexts('devices').request
  const shared = useSharedTexts()
  const { asked, type, forget } = useAskedCode()
  const [decided, setDecided] = useState<{ readonly as: Decision; readonly client: string } | null>(null)
  const again = (): void => {
    setDecided(null)
    forget()
  }
  return (
    <div className="max-w-2xl">
      <PageHeader title={shared.pages.device} lead={decided === null ? t.lead : undefined} />
      {decided !== null ? (
        <Decided {...decided} onAgain={again} />
      ) : asked === null ? (
        <CodeEntry onCode={type} />
      ) : (
        <Asked
          key={asked.code}
          asked={asked}
          onAgain={again}
          onDecided={(as, client) => {
            forget()
            setDecided({ as, client })
          }}
        />
      )}
    </div>
  )
}

function Asked(props: {
  readonly asked: AskedCode
  onDecided(as: Decision, client: string): void
  onAgain(): void
}): ReactNode {
  const t = useTexts('devices').request
  const { asked } = props
  const query = useQuery(deviceRequestQuery(asked.code))
  const { data, error } = query
  if (data !== undefined) {
    const client = data.client === '' ? t.someProgram : data.client
    return <DeviceRequest request={data} asked={asked} onDecided={(as) => props.onDecided(as, client)} />
  }
  if (error === null) return <SkeletonLines count={8} />
  if (!(error instanceof ApiProblem)) return <ErrorState error={error} />
  const another = <Button onClick={props.onAgain}>{t.anotherCode}</Button>
  if (error.code === 'not_found') return <Unknown action={another} />
  if (error.code !== 'too_many_requests') return <ErrorState error={error} onRetry={() => void query.refetch()} />
  return (
    <Notice tone="bad" isLive title={t.tooMany.title} action={another}>
      {t.tooMany.text(Math.ceil((error.retryAfterSeconds ?? 0) / 60))}
    </Notice>
  )
}

function Unknown({ action }: { readonly action: ReactNode }): ReactNode {
  const t = useTexts('devices').request.unknown
  return (
    <Notice tone="bad" isLive title={t.title} action={action}>
      {t.text}
    </Notice>
  )
}

/** What came of it, and what to do next. The keyboard's place was on a button that is gone. */
function Decided(props: { readonly as: Decision; readonly client: string; onAgain(): void }): ReactNode {
  const t = useTexts('devices').request
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.focus()
  }, [])
  const another = <Button onClick={props.onAgain}>{t.anotherCode}</Button>
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      {props.as === 'gone' ? (
        <Unknown action={another} />
      ) : props.as === 'denied' ? (
        <Notice isLive title={t.denied.title(props.client)}>
          {t.denied.text}
        </Notice>
      ) : (
        <Notice
          tone="good"
          isLive
          title={t.approved.title(props.client)}
          action={
            <Link to={PATHS.devices} className={buttonClass('secondary')}>
              {t.toDevices}
            </Link>
          }
        >
          {t.approved.text(props.client)}
        </Notice>
      )}
    </div>
  )
}
