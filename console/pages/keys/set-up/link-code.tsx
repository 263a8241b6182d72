import type { ReactNode } from 'react'
import { encode } from 'uqr'
import { QrCode } from '../../../ui/qr-code.tsx'

/** A link as a code that a phone reads; loaded when one is shown. */
export default function LinkCode({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  return <QrCode modules={encode(text, { ecc: 'L', border: 0 }).data} label={label} />
}
