import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'

/** Larger than the list of all public authorities; what is larger was named by mistake. */
const LARGEST_BYTES = 4_194_304

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates of a file in PEM, as text; null where it cannot be read or has none. */
export function certificatesIn(path: string): string | null {
  try {
    if (statSync(path).size > LARGEST_BYTES) return null
    const text = readFileSync(path, 'utf8')
    // Throws for what is not a certificate.
    const found = (text.match(CERTIFICATE) ?? []).map((each) => new X509Certificate(each))
    return found.length === 0 ? null : text
  } catch {
    return null
  }
}
