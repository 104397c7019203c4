const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The elements of SVG that stay: shapes, and what paints them. Every other one is dropped with its content. */
export const SVG_KEPT = words(`
  svg g defs symbol use path circle ellipse line polyline polygon rect text tspan style image
  linearGradient radialGradient stop clipPath mask pattern marker
  filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
  feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
`);

/** Elements of SVG that are replaced by their content. */
export const SVG_UNWRAPPED = words('a switch');

const SVG_ATTRIBUTES = words(`
  class id lang dir role tabindex viewBox preserveAspectRatio width height x y x1 x2 y1 y2 cx cy r rx ry fx fy fr d
  points pathLength transform transform-origin dx dy rotate textLength lengthAdjust
  fill fill-opacity fill-rule stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-opacity stroke-width vector-effect opacity color display visibility overflow
  clip-path clip-rule clipPathUnits mask maskUnits maskContentUnits mask-type filter filterUnits primitiveUnits
  marker-start marker-mid marker-end markerHeight markerWidth markerUnits orient refX refY
  patternUnits patternContentUnits patternTransform gradientUnits gradientTransform spreadMethod offset
  stop-color stop-opacity flood-color flood-opacity lighting-color color-interpolation color-interpolation-filters
  font-family font-size font-style font-weight text-anchor dominant-baseline alignment-baseline baseline-shift
  letter-spacing word-spacing text-decoration writing-mode paint-order shape-rendering text-rendering image-rendering
  in in2 result mode type values operator k1 k2 k3 k4 order kernelMatrix divisor bias targetX targetY edgeMode
  preserveAlpha scale xChannelSelector yChannelSelector stdDeviation radius baseFrequency numOctaves seed stitchTiles
  surfaceScale diffuseConstant specularConstant specularExponent azimuth elevation z pointsAtX pointsAtY pointsAtZ
  limitingConeAngle tableValues slope intercept amplitude exponent media
`);

/** Attributes of SVG whose values are style, which may hold addresses. */
export const SVG_STYLED = words(`
  fill stroke clip-path mask filter marker-start marker-mid marker-end color stop-color flood-color lighting-color
  font-family transform-origin
`);

export const isKeptSvgAttribute = (name: string): boolean =>
  SVG_ATTRIBUTES.has(name) || /^(?:aria|data)-[a-z0-9-]{1,60}$/.test(name);
