/** Addresses. The library is built without the types of a platform, and each has this. Layer 6, edge `ai-sdk`. */
import type { SharedV4FileDataUrl } from "@ai-sdk/provider"

declare const URL: {
  new(href: string): SharedV4FileDataUrl["url"]
  readonly canParse: (href: string) => boolean
}

export const urlOf = (href: string): SharedV4FileDataUrl["url"] => new URL(href)

/** Whether it names a place by itself. */
export const isUrl = (href: string): boolean => URL.canParse(href)
