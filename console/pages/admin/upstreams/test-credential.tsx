import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import { tryUpstream } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { SelectField } from '../../../forms/select-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { TrialFields } from './trial-fields.tsx'
import { PLAIN_TRIAL, trialBody } from './trial-options.ts'
import { TrialResult } from './trial-result.tsx'

/** One real request with one credential, for a model, in a protocol and with a text of the admin's choice. */
export default function TestCredential(props: {
  readonly upstream: UpstreamView
  readonly name: string
  onClose(): void
}): ReactNode {
  const t = useTexts('upstreams').testing
  const queries = useQueryClient()
  const { upstream, name } = props
  const [model, setModel] = useState(upstream.models[0] ?? '')
  const [options, setOptions] = useState(PLAIN_TRIAL)
  const trial = useMutation({
    mutationFn: () => tryUpstream(upstream.id, { model, credential: name, ...trialBody(options) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['upstreams'] }),
  })
  return (
    <Dialog
      isOpen
      size="small"
      title={t.title(name)}
      description={t.lead}
      onClose={props.onClose}
      {...(upstream.models.length === 0
        ? {}
        : {
            foot: (
              <Button look="primary" isBusy={trial.isPending} onClick={() => trial.mutate()}>
                {t.send}
              </Button>
            ),
          })}
    >
      {upstream.models.length === 0 ? (
        <p>{t.none}</p>
      ) : (
        <div className="grid gap-4">
          <SelectField
            name="model"
            label={t.model}
            value={model}
            onValue={setModel}
            options={upstream.models.map((value) => ({ value, label: value }))}
          />
          <TrialFields options={options} onOptions={setOptions} />
          {trial.error !== null && <ErrorState error={trial.error} />}
          {trial.data !== undefined && <TrialResult trial={trial.data} />}
        </div>
      )}
    </Dialog>
  )
}
