import { type ReactNode, useState } from 'react'
import { useTexts } from '../../dictionaries/texts.ts'
import { TextAreaField } from '../../forms/text-field.tsx'
import { Button } from '../../ui/button.tsx'

/** The box for whatever is pasted. What is typed stays in this component: it goes into no address, no request and no store. */
export function PasteBox(props: { readonly isDone: boolean; onRead(text: string): void; onClear(): void }): ReactNode {
  const t = useTexts('diagnose')
  const [text, setText] = useState('')
  const { isDone, onRead, onClear } = props
  const read = (): void => {
    if (text.trim() !== '') onRead(text)
  }
  return (
    <form
      className="card grid grid-cols-1 gap-3 p-4 sm:p-5"
      onSubmit={(event) => {
        event.preventDefault()
        read()
      }}
    >
      <TextAreaField
        name="pasted"
        label={t.paste}
        hint={t.privacy}
        rows={5}
        value={text}
        placeholder={t.placeholder}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        className="font-mono text-sm"
        onValue={setText}
        onPaste={(event) => {
          // A paste into the empty box is the question already.
          const pasted = event.clipboardData.getData('text/plain')
          if (text !== '' || pasted.trim() === '') return
          event.preventDefault()
          setText(pasted)
          onRead(pasted)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
          event.preventDefault()
          read()
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" icon="search">
          {t.submit}
        </Button>
        {(isDone || text !== '') && (
          <Button
            look="quiet"
            onClick={() => {
              setText('')
              onClear()
            }}
          >
            {t.again}
          </Button>
        )}
      </div>
    </form>
  )
}
