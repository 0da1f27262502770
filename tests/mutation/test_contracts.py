"""The list of the contracts' numbers is of numbers that are there, and their tests exist."""

import pytest

from tests.mutation.run import ROOT, ContractNumber, contract_numbers


@pytest.mark.parametrize("number", contract_numbers(), ids=lambda number: number.promise)
def test_a_number_of_a_contract_stands_where_it_is_said_to(number: ContractNumber) -> None:
    assert number.mutants()
    assert all((ROOT / test).exists() for test in number.tests)
