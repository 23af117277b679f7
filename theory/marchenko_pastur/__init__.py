"""The law of W0 W0^T: the ratio psi2 (a symbol or an exact number) in, transforms, moments, edges and density out.

``symbolic`` has the closed forms, ``law`` proven digits, ``branch`` one point of the plane, ``route`` quadrature of the density.
"""
