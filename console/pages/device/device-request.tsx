import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { DeviceRequestView } from '../../../src/contract/devices.ts'
import { ApiProblem, nullIfMissing } from '../../api/api-problem.ts'
import { approveDevice, denyDevice, deviceRequestQuery } from '../../api/devices.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { Form } from '../../forms/form.tsx'
import type { AskedCode } from '../../forms/kept-code.ts'
import { TextField } from '../../forms/text-field.tsx'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { useGuarded } from '../../shell/identity-guard.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { creationOf, type KeyDraft } from '../keys/form/key-draft.ts'
import { FormFoot } from '../keys/form/form-foot.tsx'
import { KeyQuestions } from '../keys/form/key-questions.tsx'
import { summaryFacts } from '../keys/form/key-summary.ts'
import { useKeyForm } from '../keys/form/use-key-form.ts'
import { isSameCode } from './asked-code.ts'
import { CODE_INPUT } from './code-input.ts'
import { deviceName } from './device-name.ts'
import { WhoAsks } from './who-asks.tsx'

/** `gone`: the code was over, or decided elsewhere. */
export type Decision = 'approved' | 'denied' | 'gone'

interface RequestProps {
  readonly request: DeviceRequestView
  readonly asked: AskedCode
  onDecided(as: Decision): void
}

/** Who asks, what it may do, and the decision. */
export function DeviceRequest(props: RequestProps): ReactNode {
  const t = useTexts('devices').request
  const keyTexts = useTexts('keys')
  const format = useFormat()
  const { request, asked } = props
  // A link may come from anyone; the program is seen by its person alone.
  const isTypedHere = !request.same_network && !asked.isTyped
  const [typed, setTyped] = useState('')
  const { form, isFull } = useApproval(props, {
    typed: asked.isTyped ? asked.code : isTypedHere ? typed : undefined,
    check: () => (isTypedHere && !isSameCode(typed, request.code) ? { typed_code: t.codeDiffers } : {}),
  })
  const deny = useMutation({
    mutationFn: () => denyDevice(request.code).catch(nullIfMissing),
    onSuccess: (answer) => props.onDecided(answer === null ? 'gone' : 'denied'),
  })
  const { draft, groupsPage, submission } = form
  return (
    <Form
      submission={submission}
      className="grid grid-cols-1 gap-5"
      foot={
        <>
          {deny.error !== null && <ErrorState error={deny.error} />}
          {isFull && <TooManyDevices />}
          <FormFoot
            label={keyTexts.summaryLabel}
            summary={keyTexts.summary(summaryFacts(draft, groupsPage.data?.data ?? [], { nowMs: Date.now(), format }))}
          >
            <Button isBusy={deny.isPending} onClick={() => deny.mutate()}>
              {t.deny}
            </Button>
            <Button type="submit" look="primary" isBusy={submission.isSending}>
              {t.approve}
            </Button>
          </FormFoot>
        </>
      }
    >
      <WhoAsks request={request} isCodeShown={!isTypedHere} />
      <Notice tone="warn">{t.warning}</Notice>
      {isTypedHere && (
        <TextField
          {...submission.field('typed_code')}
          {...CODE_INPUT}
          label={t.typeCode}
          hint={t.typeCodeHint}
          value={typed}
          onValue={setTyped}
        />
      )}
      <KeyQuestions form={form} before={null} hasFocusAtFirst={false} />
      <p className="text-sm text-ink-3">{t.ends(request.idle_days, request.max_days)}</p>
    </Form>
  )
}

/** The form of the device's key; `isFull`: the account is signed in on as many devices as it may. */
function useApproval(
  { request, onDecided }: RequestProps,
  code: { readonly typed: string | undefined; check(): Readonly<Record<string, string>> },
) {
  const guarded = useGuarded()
  const queries = useQueryClient()
  const [isFull, setFull] = useState(false)
  const form = useKeyForm<'approved' | 'gone' | 'full'>({
    before: null,
    isDevice: true,
    keptAs: `device ${request.code}`,
    proposes: deviceName(request),
    beside: { fields: ['typed_code'], check: code.check },
    send: async (draft, { idempotencyKey, sinceMs }) => {
      const body = { ...approvalOf(draft, sinceMs), ...(code.typed === undefined ? {} : { typed_code: code.typed }) }
      try {
        await guarded(() => approveDevice(request.code, body, idempotencyKey))
        return 'approved'
      } catch (error) {
        const known = error instanceof ApiProblem ? error : null
        if (known?.code === 'not_found') return 'gone'
        if (known?.code === 'too_many_devices') return 'full'
        // The browser has moved to another network since the page was opened: the code is asked for.
        if (known?.field === 'typed_code') void queries.invalidateQueries(deviceRequestQuery(request.code))
        throw error
      }
    },
    onDone: (answer) => {
      setFull(answer === 'full')
      if (answer === 'approved') void queries.invalidateQueries({ queryKey: ['keys'] })
      if (answer !== 'full') onDecided(answer)
    },
  })
  return { form, isFull }
}

/** What of a key the approval takes. */
function approvalOf(draft: KeyDraft, nowMs: number) {
  const { name, group, quota_limit, quota_reset, expires_at } = creationOf(draft, nowMs)
  return { name, group, quota_limit, quota_reset, expires_at }
}

function TooManyDevices(): ReactNode {
  const t = useTexts('devices').request
  return (
    <Notice
      tone="bad"
      isLive
      title={t.full.title}
      action={
        <Link to={PATHS.devices} className={buttonClass('secondary')}>
          {t.toDevices}
        </Link>
      }
    >
      {t.full.text}
    </Notice>
  )
}
