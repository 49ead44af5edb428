// RUN: attnres-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected the parameter that the gradient belongs to}}
func.func private @f() attributes {test.a = #attnres.role<gradient>}

// -----

// expected-error @below {{expected the parameter that the first_moment belongs to}}
func.func private @f() attributes {test.a = #attnres.role<first_moment of "">}

// -----

// expected-error @below {{expected no parameter, since the role input belongs to none, got "w"}}
func.func private @f() attributes {test.a = #attnres.role<input of "w">}

// -----

// expected-error @below {{expected ::attnres::Role to be one of}}
// expected-error @below {{failed to parse Attnres_RoleAttr parameter 'kind'}}
func.func private @f() attributes {test.a = #attnres.role<weight>}

// -----

// expected-error @below {{expected ::attnres::Phase to be one of}}
// expected-error @below {{failed to parse Attnres_PhaseAttr parameter 'value'}}
func.func private @f() attributes {test.a = #attnres.phase<sideward>}
