import { type ReactNode, useState } from 'react'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Field } from '../../../forms/field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Input } from '../../../ui/input.tsx'

/** Takes models by name that are not in a list, one at a time or several that are pasted together. */
export function NameModel(props: {
  readonly isDeployment: boolean
  onNames(models: readonly string[]): void
}): ReactNode {
  const t = useTexts('connecting')
  const [typed, setTyped] = useState('')
  const add = (): void => {
    const names = typed.split(/[\s,]+/).filter((name) => name !== '')
    if (names.length > 0) props.onNames([...new Set(names)])
    setTyped('')
  }
  return (
    <Field name="model" label={t.modelName} hint={props.isDeployment ? t.deploymentHint : t.modelNameHint}>
      {(control) => (
        <div className="flex gap-2">
          <Input
            {...control}
            value={typed}
            maxLength={500}
            autoCapitalize="none"
            spellCheck={false}
            className="min-w-0 flex-1"
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              // Here it adds the name, and sends no form.
              if (event.key !== 'Enter') return
              event.preventDefault()
              add()
            }}
          />
          <Button onClick={add}>{t.addModel}</Button>
        </div>
      )}
    </Field>
  )
}
